import { api, type Schemas } from '../../api/api.js';
import { textOrNull } from '../../forms/use-form.js';
import { offerUndo } from '../../shell/decided.js';
import { DecidingDialog, type Decision } from '../ledger/deciding-dialog.js';
import { isAboutWager } from '../ledger/following.js';
import { type Outcome, outcomeChoices } from '../ledger/tags.js';
import { correctionChoices, correctionOf, decisionOf } from './decisions.js';

export interface DecideProps {
  readonly wager: Schemas['WagerWithSettlement'];
  readonly onClose: () => void;
}

/** The first decision of a wager, which the business makes. */
export function DecideDialog({ wager, ...props }: DecideProps) {
  const { reference, account_id } = wager;
  const decision: Decision = {
    name: `decide ${account_id} ${reference}`,
    title: 'Decide the wager',
    action: 'Decide',
    reference,
    choices: outcomeChoices,
    approvedAs: 'update_wager_outcome',
    reasonHint: 'May be empty. Shown in the event of the decision.',
    operationOf: (outcome) => decisionOf(wager, outcome),
    send: ({ outcome, description }, idempotencyKey) =>
      api.post('/bets/update-wager-outcome', {
        idempotencyKey,
        body: { reference, outcome: outcome as Outcome, reason: textOrNull(description) },
      }),
    onDone: (outcome) => offerUndo([{ reference, outcome: outcome as Outcome }]),
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
