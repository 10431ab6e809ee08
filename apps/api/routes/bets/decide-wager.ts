import { z } from 'zod';
import type { DecideWager, WagerDecided } from '#core/decide-wager.js';
import { reject } from '#core/rejection.js';
import * as fields from '#http/fields.js';
import { countPendingUnder } from '#ledger/pending-bets.js';
import { endpoint } from '../../endpoint.js';
import { messageOnly } from '../../fields/answers.js';
import { outcome } from '../../fields/enums.js';
import { paymentsDiffer } from '../../fields/ledger-operation.js';
import { approvalRefusals, approvalRequired, executeOrAsk, type Guarded, ownLedger } from '../../guards/approval.js';
import type { ApiServices } from '../../services.js';

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

/** Counts outside the ledger's transaction, which reads no more bets than it moves: others may change the number since. */
export async function decideWagerOf(
  { reference, reason, ...body }: z.output<typeof decideWagerBody>,
  accountId: bigint,
  { database, settlementBound: bound }: Pick<ApiServices, 'database' | 'settlementBound'>,
): Promise<DecideWager> {
  const decision = { reference, ...decisionIn(body) };
  const pendingBefore = await countPendingUnder(database.of(accountId), { accountId, ...decision });
  return { type: 'update_wager_outcome', ...decision, reason: reason ?? null, bound, pendingBefore };
}

/** The worker settles the remaining bets; the answer tells the caller how many there are. */
export function decidedText({ remainingCount }: WagerDecided): string {
  if (remainingCount === 0) return 'Wager outcome updated';
  return `Wager outcome updated: ${remainingCount} ${remainingCount === 1 ? 'bet' : 'bets'} still to settle`;
}

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
  operation: {
    type: 'update_wager_outcome',
    reference: body.reference,
    reason: body.reason ?? null,
    ...decisionIn(body),
  },
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
  async handle({ body, caller, call }, services) {
    const { accountId } = caller.account;
    const present = (decided: WagerDecided) => ({ message: decidedText(decided) });
    return executeOrAsk(services, decisionToGuard(body, { caller, call }), {
      execute: async () =>
        services.ledger.execute(accountId, await decideWagerOf(body, accountId, services), { call, present }),
      present,
    });
  },
});
