// Which operations of an account need the approval of a second person: `preferences.approvals`.

export const approvalKinds = [
  'update_wager_outcome',
  'override_bet_outcome',
  'force_update_outcome',
  'force_update_override_outcome',
  'set_inactive',
  'set_active',
  'withdraw_user',
] as const;

export type ApprovalKind = (typeof approvalKinds)[number];

export type Approvals = {
  readonly kinds: ApprovalKind[];
  /** An operation that moves more needs approval. */
  readonly above: number;
  /** In seconds. */
  readonly expires_in: number;
};

/** Undefined, null: no operation needs approval. */
type Setting = Approvals | null | undefined;

/** Whether less needs approval after the change. */
export const isLooser = (before: Setting, after: Setting): boolean =>
  before != null &&
  (after == null || after.above > before.above || before.kinds.some((kind) => !after.kinds.includes(kind)));
