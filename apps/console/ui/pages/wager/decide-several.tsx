import { useSignal } from '@preact/signals';
import { api, LedgerError } from '../../api/api.js';
import { Fields } from '../../forms/fields.js';
import { FormView } from '../../forms/form-view.js';
import { textOrNull, useForm } from '../../forms/use-form.js';
import type { LedgerEvent } from '../../live/shared-events.js';
import { formatAmount, formatCountOf } from '../../parts/amount.js';
import { DataTable } from '../../parts/data-table.js';
import { Dialog } from '../../parts/dialog.js';
import { offerUndo } from '../../shell/decided.js';
import { waitsText } from '../approvals/waits.js';
import { useApprovalRules } from '../ledger/approval-note.js';
import { Preview } from '../ledger/preview.js';
import { type Outcome, outcomeChoices, outcomeText, WagerLink } from '../ledger/tags.js';
import { usePreview } from '../ledger/use-preview.js';

/** Of one wager. */
interface Decided {
  readonly reference: string;
  readonly outcome: Outcome;
  readonly reason: string | null;
}

interface Answer extends Decided {
  readonly text: string;
  readonly isDone: boolean;
}

/** All or none. */
async function decideTogether(decisions: readonly Decided[], idempotencyKey: string): Promise<Answer[]> {
  const operations = decisions.map((data) => ({
    operation_type: 'update_wager_outcome' as const,
    operation_id: data.reference,
    data,
  }));
  const { results } = await api.post('/bets/batch', { idempotencyKey, body: { operations } });
  return decisions.map((decision, index) => {
    const result = results[index];
    return { ...decision, isDone: true, text: result !== undefined && 'message' in result ? result.message : 'Done' };
  });
}

/** Each by itself: the batch takes none that may need approval. A repetition has the same keys, so each is done once. */
async function decideEach(decisions: readonly Decided[], idempotencyKey: string): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (const [index, decision] of decisions.entries()) {
    try {
      const key = `${idempotencyKey}-${index}`;
      const answer = await api.post('/bets/update-wager-outcome', { idempotencyKey: key, body: decision });
      answers.push({ ...decision, isDone: !('change_request' in answer), text: waitsText(answer) });
    } catch (error) {
      // What may still be done is asked again with all the others.
      if (!(error instanceof LedgerError) || error.status >= 500 || error.status === 429) throw error;
      answers.push({ ...decision, isDone: false, text: error.message });
    }
  }
  return answers;
}

const isAboutAny =
  (references: readonly string[]) =>
  ({ wager }: LedgerEvent): boolean =>
    wager !== undefined && wager.reference !== undefined && references.includes(wager.reference);

const fieldOf = (index: number): string => `result_${index}`;

function Answers({ answers }: { readonly answers: readonly Answer[] }) {
  return (
    <DataTable
      caption="Answers"
      columns={[
        { title: 'Wager', text: ({ reference }) => <WagerLink reference={reference} /> },
        { title: 'Result', text: ({ outcome }) => outcomeText[outcome] },
        { title: 'Answer', text: ({ text }) => text },
      ]}
      items={answers}
      keyOf={({ reference }) => reference}
      empty={null}
    />
  );
}

export interface DecideSeveralProps {
  readonly references: readonly string[];
  /** Those that were decided, or are waiting for approval. */
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** Several wagers of a match in one decision: a result for each, one total of what moves, and the answer of each. */
export function DecideSeveral({ references, onDone, onClose }: DecideSeveralProps) {
  const answers = useSignal<readonly Answer[] | undefined>(undefined);
  if (answers.value === undefined) {
    return (
      <Dialog title={`Decide ${formatCountOf(references.length, 'wager')}`} onClose={onClose}>
        <DecideForm
          references={references}
          onAnswers={(all) => {
            answers.value = all;
            offerUndo(all.filter(({ isDone }) => isDone));
            onDone();
          }}
        />
      </Dialog>
    );
  }
  const done = answers.value.filter(({ isDone }) => isDone).length;
  return (
    <Dialog title={`${done} of ${formatCountOf(references.length, 'wager')} decided`} onClose={onClose}>
      <div class="column">
        <Answers answers={answers.value} />
        <div class="actions">
          <button type="button" class="main" onClick={onClose}>
            Close
          </button>
        </div>
      </div>
    </Dialog>
  );
}

interface DecideFormProps extends Pick<DecideSeveralProps, 'references'> {
  readonly onAnswers: (answers: readonly Answer[]) => void;
}

function DecideForm({ references, onAnswers }: DecideFormProps) {
  const rules = useApprovalRules('update_wager_outcome');
  const results = references.map((reference, index) => [
    fieldOf(index),
    { label: reference, choices: [['', 'Choose a result'], ...outcomeChoices], isRequired: true },
  ]);
  const form = useForm<Record<string, { label: string; isRequired?: boolean; hint?: string }>, readonly Answer[]>({
    name: `decide ${references.join()}`,
    fields: {
      ...Object.fromEntries(results),
      count: { label: 'Number of wagers', isRequired: true },
      reason: { label: 'Why', hint: 'May be empty. Shown in the event of each decision.' },
    },
    send: (values, key) => (rules === undefined ? decideTogether : decideEach)(decisionsOf(references, values), key),
    onDone: onAnswers,
  });
  const decisions = decisionsOf(references, form.values);
  const isChosen = decisions.every(({ outcome }) => (outcome as string) !== '');
  const preview = usePreview({
    operation: isChosen
      ? {
          type: 'update_wager_outcomes',
          decisions: decisions.map(({ reference, outcome }) => ({ reference, outcome })),
        }
      : undefined,
    changedBy: isAboutAny(references),
  });
  const isShown = preview.isComplete && preview.done?.would_succeed === true;
  const isUnanswered = form.isRepeat || form.faults?.isFinal === false;
  const isConfirmed = form.values.count?.trim() === String(references.length);
  const what = `Decide ${formatCountOf(references.length, 'wager')}`;
  return (
    <FormView
      form={form}
      action={isShown ? `${what}: ${formatAmount(preview.done?.moved.credit ?? 0)} moves` : what}
      decides
      least="settler"
      isOff={!(isChosen && isConfirmed && (isShown || isUnanswered))}
    >
      <div class="columns results">
        <Fields form={form} names={references.map((_, index) => fieldOf(index))} />
      </div>
      <Preview of={preview} outcome="undecided" />
      {rules !== undefined && (
        <p class="note">
          The account asks for a second person above {formatAmount(rules.above)}: each wager is decided by itself, or
          waits for approval.
        </p>
      )}
      <p>To confirm, type how many wagers you decide.</p>
      <div class="columns">
        <Fields form={form} names={['count', 'reason']} />
      </div>
    </FormView>
  );
}

const decisionsOf = (references: readonly string[], values: Readonly<Record<string, string>>): Decided[] =>
  references.map((reference, index) => ({
    reference,
    outcome: values[fieldOf(index)] as Outcome,
    reason: textOrNull(values.reason ?? ''),
  }));
