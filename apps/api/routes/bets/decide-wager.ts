import { z } from 'zod';
import type { WagerDecided } from '#core/decide-wager.js';
import { reject } from '#core/rejection.js';
import * as fields from '#http/fields.js';
import { endpoint } from '../../endpoint.js';
import { messageOnly } from '../../fields/answers.js';
import { outcome } from '../../fields/enums.js';
import { paymentsDiffer } from '../../fields/ledger-operation.js';
import { approvalRefusals, approvalRequired, executeOrAsk, type Guarded, ownLedger } from '../../guards/approval.js';

export const voidMatchedAfter = fields.bodyMoment.nullish().meta({
  description:
    'Every bet of the wager that was matched then or later gets the override `void`, also one that had another. Not with `undecided`.',
});

export const LONGEST_REASON = 200;

export const decideWagerBody = z
  .strictObject({
    reference: fields.reference.meta({ description: 'The wager, as the business calls it.' }),
    outcome,
    void_matched_after: voidMatchedAfter,
    reason: fields.line(LONGEST_REASON).nullish().meta({ description: 'Why; the event of the decision shows it.' }),
  })
  .meta({ id: 'DecideWager', examples: [{ reference: 'home-win', outcome: 'win' }] });

/** Of a body that gives an outcome. */
export const decisionIn = (body: Pick<z.output<typeof decideWagerBody>, 'outcome' | 'void_matched_after'>) => ({
  outcome: body.outcome,
  voidMatchedAfter: fields.momentOrNull(body.void_matched_after),
});

export const decideWagerOf = (body: z.output<typeof decideWagerBody>) =>
  ({
    type: 'update_wager_outcome',
    reference: body.reference,
    reason: body.reason ?? null,
    ...decisionIn(body),
  }) as const;

/** The worker settles the remaining bets; the answer tells the caller how many there are. */
function decidedText({ remainingCount }: WagerDecided): string {
  if (remainingCount === 0) return 'Wager outcome updated';
  return `Wager outcome updated: ${remainingCount} ${remainingCount === 1 ? 'bet' : 'bets'} still to settle`;
}

export const presentDecided = (decided: WagerDecided) => ({ message: decidedText(decided) });

/** Examples for the documentation. */
export const DECIDED_TEXTS = [0, 1500].map((remainingCount) =>
  decidedText({ wagerId: 0n, settledCount: 0, remainingCount }),
);

/** With `undecided`. */
export const voidsRefused = reject('malformed', 'void_matched_after must not be given with the outcome undecided');

export const decideWagerRefusals = [voidsRefused, reject('wager-not-found'), reject('wager-decided'), paymentsDiffer];

export const decisionToGuard = (
  body: z.output<typeof decideWagerBody>,
  { caller, call }: Pick<Guarded, 'caller' | 'call'>,
): Guarded => ({
  ...ownLedger(caller, call),
  kind: 'update_wager_outcome',
  given: body,
  operation: decideWagerOf(body),
});

export const betUpdateWagerOutcome = endpoint({
  method: 'post',
  path: '/bets/update-wager-outcome',
  tag: 'Bets',
  summary: 'Decide a wager: its offers expire, its bets are settled',
  description:
    'A wager is decided once. What is beyond the bound for one request, the worker settles; the text then says how much.',
  access: 'account',
  status: 201,
  body: decideWagerBody,
  answer: messageOnly(...DECIDED_TEXTS),
  accepted: approvalRequired,
  refusals: [...decideWagerRefusals, ...approvalRefusals],
  handle: ({ body, caller, call }, services) =>
    executeOrAsk(services, decisionToGuard(body, { caller, call }), presentDecided),
});
