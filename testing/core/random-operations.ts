import { asMicros, type OddsMicros } from '#core/money.js';
import type { Operation } from '#core/operation.js';
import { type Outcome, outcomes } from '#core/outcome.js';
import { acceptance, admin, cancellation, offer } from './builders.js';

/** Plain numbers, as a generator makes and shrinks them; `operationFrom` reads them as an operation. */
export interface Plan {
  readonly kind: number;
  readonly user: number;
  readonly other: number;
  readonly wager: number;
  readonly amountMicros: number;
  readonly oddsMicros: number;
  readonly outcome: number;
  readonly bet: number;
  readonly isWhole: boolean;
}

const kinds = [
  'make',
  'make',
  'make',
  'makeForOne',
  'accept',
  'accept',
  'acceptOne',
  'cancel',
  'cancelOne',
  'fund',
  'withdraw',
  'decide',
  'override',
  'chunk',
  'force',
  'active',
  'forceOverride',
] as const;

export const planLimits = { kinds: kinds.length, outcomes: outcomes.length } as const;

/** Few users, wagers and bets, so that they meet often; half of the wagers are never decided, so that some stay open. */
export const operationFrom = (plan: Plan): Operation => {
  const user = { id: BigInt(plan.user) };
  const wagerReference = `w${plan.wager}`;
  const betId = 101n + BigInt(plan.bet);
  const amount = asMicros(BigInt(plan.amountMicros));
  const odds = BigInt(plan.oddsMicros) as OddsMicros;
  const outcome: Outcome = outcomes[plan.outcome] ?? 'undecided';
  const bound = plan.isWhole ? 500 : 2;
  const made = { wagerReference, requestingUser: user, requestingOdds: odds, requestingAmount: amount };
  const decidedReference = `w${plan.wager % 2}`;
  const taken = { acceptingUser: user, maximumOdds: (odds + 1_000_000n) as OddsMicros, acceptingAmount: amount };
  const canceled = { requestingUser: user, cancelAll: plan.isWhole, cancelAmount: amount };
  switch (kinds[plan.kind] ?? 'make') {
    case 'make':
      return offer(made);
    case 'makeForOne':
      return offer({ ...made, allowedAcceptorIds: [BigInt(plan.other)] });
    case 'accept':
      return acceptance({ ...taken, wagerReference, requestingUser: plan.isWhole ? null : { id: BigInt(plan.other) } });
    case 'acceptOne':
      return acceptance({ ...taken, wagerReference: null, betId });
    case 'cancel':
      return cancellation({ ...canceled, wagerReferences: [wagerReference, `w${plan.other}`], minimumOdds: odds });
    case 'cancelOne':
      return cancellation({ ...canceled, betId });
    case 'fund':
      return { type: 'fund_user', user, amount, description: 'Balance funded' };
    case 'withdraw':
      return { type: 'withdraw', user, amount, description: 'Withdrawal' };
    case 'decide':
      return { type: 'update_wager_outcome', reference: decidedReference, outcome, bound };
    case 'override':
      return { type: 'override_bet_outcome', betId, overrideOutcome: outcome };
    case 'chunk':
      return { type: 'settle_chunk', wagerId: 11n + BigInt(plan.wager), bound };
    case 'force':
      return { type: 'force_wager_outcome', wagerReference: decidedReference, outcome, bound, action: admin };
    case 'active':
      return { type: 'set_bet_active', betId, isActive: plan.isWhole, action: admin };
    case 'forceOverride':
      return { type: 'force_bet_override', betId, overrideOutcome: plan.other > 2 ? null : outcome, action: admin };
  }
};
