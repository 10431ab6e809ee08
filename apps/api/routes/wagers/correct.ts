import { z } from 'zod';
import type { AdminAction } from '#core/records.js';
import { reject } from '#core/rejection.js';
import * as fields from '#http/fields.js';
import { endpoint } from '../../endpoint.js';
import { messageOnly } from '../../fields/answers.js';
import { outcome } from '../../fields/enums.js';
import { paymentsDiffer } from '../../fields/ledger-operation.js';
import { approvalRefusals, approvalRequired, executeOrAsk, ownLedger } from '../../guards/approval.js';
import { DECIDED_TEXTS, LONGEST_REASON, presentDecided } from '../bets/decide-wager.js';
import { wagerPath } from './wager.js';

const correction = {
  outcome: outcome.meta({ description: 'The right one; `undecided` takes the decision back.' }),
  reason: fields.line(LONGEST_REASON).nullish().meta({ description: 'Why; its event and the trails show it.' }),
};
const example = { outcome: 'undecided', reason: 'The wrong match' };

const correctBody = z.strictObject(correction).meta({ id: 'CorrectWager', examples: [example] });

/** Alone, it names its wager. */
export const correctionOfWager = {
  reference: fields.reference.meta({ description: 'The wager, as the business calls it.' }),
  ...correction,
};

export const correctOperation = (
  { reference, outcome: corrected }: { readonly reference: string } & z.output<typeof correctBody>,
  ofBusiness: 'now' | 'asked' = 'now',
) =>
  ({
    type: 'force_wager_outcome',
    wagerReference: reference,
    outcome: corrected,
    voidMatchedAfter: null,
    ofBusiness,
  }) as const;

/** Who corrects, for the trails of the bets. */
export const ownAction = (
  { accountId, email }: { readonly accountId: bigint; readonly email: string },
  reason: string | null | undefined,
): AdminAction => ({ adminId: accountId, adminEmail: email, description: reason ?? null, isOwn: true });

export const wagerCorrect = endpoint({
  method: 'post',
  path: '/wagers/:reference/correct',
  tag: 'Wagers',
  summary: 'Correct a decision of the last minutes',
  description:
    'Once, within 10 minutes of the decision: every bet moves to where the outcome says, and with `undecided` the offers that the decision expired are open again. An account that wants approval of its decisions wants it of their corrections.',
  access: 'account',
  params: wagerPath,
  body: correctBody,
  answer: messageOnly(...DECIDED_TEXTS),
  accepted: approvalRequired,
  refusals: [reject('wager-not-found'), reject('decision-final'), paymentsDiffer, ...approvalRefusals],
  async handle({ params: { reference }, body, caller, call }, services) {
    const action = ownAction(caller.account, body.reason);
    const operation = correctOperation({ reference, ...body });
    const given = { reference, ...body };
    const guarded = { ...ownLedger(caller, call), kind: 'correct_wager_outcome' as const, given, operation, action };
    return executeOrAsk(services, guarded, presentDecided);
  },
});
