import { z } from 'zod';
import type { OverrideOutcome } from '#core/correct-bet.js';
import { reject } from '#core/rejection.js';
import * as fields from '#http/fields.js';
import { endpoint } from '../../endpoint.js';
import { messageOnly } from '../../fields/answers.js';
import { outcome } from '../../fields/enums.js';
import { paymentsDiffer } from '../../fields/ledger-operation.js';
import { approvalRefusals, approvalRequired, executeOrAsk, type Guarded, ownLedger } from '../../guards/approval.js';
import { LONGEST_REASON } from './decide-wager.js';

export const overrideOutcomeBody = z
  .strictObject({
    bet_id: fields.idNumber.meta({ description: 'An accepted bet.' }),
    override_outcome: outcome.meta({ description: "The outcome that settles the bet, in place of its wager's." }),
    reason: fields.line(LONGEST_REASON).nullish().meta({ description: 'Why; the trail of the bet shows it.' }),
  })
  .meta({ id: 'OverrideOutcome', examples: [{ bet_id: 21, override_outcome: 'push' }] });

export function overrideOutcomeOf(body: z.output<typeof overrideOutcomeBody>): OverrideOutcome {
  const { bet_id: betId, override_outcome: overrideOutcome, reason = null } = body;
  return { type: 'override_bet_outcome', betId: BigInt(betId), overrideOutcome, reason };
}

export const OVERRIDDEN = 'Bet outcome overridden';

export const overrideOutcomeRefusals = [
  reject('bet-not-found'),
  reject('bet-not-accepted'),
  reject('bet-inactive'),
  reject('bet-void-due'),
  paymentsDiffer,
];

export const overrideToGuard = (
  body: z.output<typeof overrideOutcomeBody>,
  { caller, call }: Pick<Guarded, 'caller' | 'call'>,
): Guarded => ({
  ...ownLedger(caller, call),
  kind: 'override_bet_outcome',
  given: body,
  operation: overrideOutcomeOf(body),
});

export const betOverrideOutcome = endpoint({
  method: 'post',
  path: '/bets/override-outcome',
  tag: 'Bets',
  summary: 'Settle an accepted bet by an outcome of its own',
  description: 'It is settled at once, and stays so when its wager is decided. `undecided` takes its settlement back.',
  access: 'account',
  body: overrideOutcomeBody,
  answer: messageOnly(OVERRIDDEN),
  accepted: approvalRequired,
  refusals: [...overrideOutcomeRefusals, ...approvalRefusals],
  handle: ({ body, caller, call }, services) =>
    executeOrAsk(services, overrideToGuard(body, { caller, call }), () => ({ message: OVERRIDDEN })),
});
