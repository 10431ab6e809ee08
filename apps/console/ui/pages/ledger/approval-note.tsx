import type { Schemas } from '../../api/api.js';
import { useResource } from '../../api/resource.js';
import { Amount } from '../../parts/amount.js';

type Rules = NonNullable<Schemas['ChangePreferences']['approvals']>;
export type ApprovalKind = Rules['kinds'][number];

/** What needs a second person in the account; undefined: nothing of this kind. */
export function useApprovalRules(kind: ApprovalKind | undefined): Rules | undefined {
  const preferences = useResource(
    async ({ get }) => (kind === undefined ? { data: undefined } : get('/auth/account/preferences')),
    [kind],
  );
  const rules = preferences.body?.data?.approvals as Rules | null | undefined;
  return kind !== undefined && rules?.kinds.includes(kind) === true ? rules : undefined;
}

interface NoteProps {
  readonly rules: Rules | undefined;
  /** What would move; undefined: not known yet. */
  readonly moved: number | undefined;
}

/** Says that the button asks, and does nothing yet. */
export function ApprovalNote({ rules, moved }: NoteProps) {
  if (rules === undefined || moved === undefined || moved <= rules.above) return null;
  return (
    <p class="note">
      It moves more than <Amount value={rules.above} />: a second person must approve it. The button asks for that, and
      nothing moves until then.
    </p>
  );
}
