import { api, type Schemas } from '../../api/api.js';
import { textOrNull } from '../../forms/use-form.js';
import { DecidingDialog, type Decision } from '../ledger/deciding-dialog.js';
import { isAboutWager } from '../ledger/following.js';
import { type Outcome, outcomeChoices, outcomeText } from '../ledger/tags.js';
import type { PreviewedOperation } from '../ledger/use-preview.js';

export interface DecideProps {
  readonly wager: Schemas['WagerWithSettlement'];
  readonly account: number | undefined;
  readonly onClose: () => void;
}

type Wager = Pick<DecideProps['wager'], 'reference' | 'account_id' | 'outcome'>;

/** As the business decides it. */
export const decisionOf = ({ reference }: Wager, outcome: string): PreviewedOperation => ({
  type: 'update_wager_outcome',
  reference,
  outcome: outcome as Outcome,
});

/** As an admin corrects it. */
export const correctionOf = ({ reference, account_id }: Wager, outcome: string): PreviewedOperation => ({
  type: 'force_update_outcome',
  account_id,
  wager_reference: reference,
  outcome: outcome as Outcome,
});

/** A wager is corrected to any other outcome. */
export const correctionChoices = ({ outcome }: Wager) =>
  [...outcomeChoices, ['undecided', outcomeText.undecided] as const].filter(([value]) => value !== outcome);

/** The first decision of a wager, which the business makes. */
export function DecideDialog({ wager, ...props }: DecideProps) {
  const { reference, account_id } = wager;
  const decision: Decision = {
    name: `decide ${account_id} ${reference}`,
    title: 'Decide the wager',
    action: 'Decide',
    reference,
    choices: outcomeChoices,
    operationOf: (outcome) => decisionOf(wager, outcome),
    send: ({ outcome }, idempotencyKey) =>
      api.post('/bets/update-wager-outcome', { idempotencyKey, body: { reference, outcome: outcome as Outcome } }),
  };
  return <DecidingDialog decision={decision} outcome={wager.outcome} changedBy={isAboutWager(reference)} {...props} />;
}

/** The same, for a second person to approve. The wager takes no bets meanwhile, so that what is shown stays so. */
export function AskDialog({ wager, ...props }: DecideProps) {
  const { reference, account_id } = wager;
  const decision: Decision = {
    name: `ask to decide ${account_id} ${reference}`,
    title: 'Ask to decide the wager',
    action: 'Ask to decide',
    text: 'A second person approves or rejects it. Until then the wager is suspended, and nothing else happens.',
    choices: outcomeChoices,
    operationOf: (outcome) => decisionOf(wager, outcome),
    reasonHint: 'For the other person and the trail: at least 10 characters.',
    needsReason: true,
    send: ({ outcome, description }, idempotencyKey) =>
      api.post('/change-requests', {
        idempotencyKey,
        body: { operation: decisionOf(wager, outcome), reason: description, suspend: true },
      }),
  };
  return <DecidingDialog decision={decision} outcome={wager.outcome} changedBy={isAboutWager(reference)} {...props} />;
}

/** Any later one, which an admin makes. */
export function CorrectDialog({ wager, ...props }: DecideProps) {
  const { reference, account_id } = wager;
  const decision: Decision = {
    name: `correct ${account_id} ${reference}`,
    title: 'Correct the outcome',
    action: 'Correct to',
    reference,
    choices: correctionChoices(wager),
    operationOf: (outcome) => correctionOf(wager, outcome),
    reasonHint: 'Shown in the history of each bet that moves.',
    send: ({ outcome, description }, idempotencyKey) =>
      api.post('/admin/wagers/force-update-outcome', {
        idempotencyKey,
        body: {
          account_id,
          wager_reference: reference,
          outcome: outcome as Outcome,
          description: textOrNull(description),
        },
      }),
  };
  return <DecidingDialog decision={decision} outcome={wager.outcome} changedBy={isAboutWager(reference)} {...props} />;
}
