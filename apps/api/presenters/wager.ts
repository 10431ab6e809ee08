import type { z } from 'zod';
import type { Outcome } from '#core/outcome.js';
import type { Settlement, Wager, WagerWithSettlement } from '#reads/wager.js';
import type { listedWager, wagerWithSettlement } from '../answers/wager.js';

export function presentWager(wager: Wager): z.output<typeof listedWager> {
  return {
    id: Number(wager.id),
    reference: wager.reference,
    outcome: wager.outcome,
    account_id: Number(wager.accountId),
    settling_since: wager.settlingSince,
    created_at: wager.createdAt,
    updated_at: wager.updatedAt,
  };
}

function stateOf(outcome: Outcome, { remaining }: Settlement): 'undecided' | 'settling' | 'settled' {
  if (remaining > 0) return 'settling';
  return outcome === 'undecided' ? 'undecided' : 'settled';
}

export function presentWagerWithSettlement({
  wager,
  settlement,
}: WagerWithSettlement): z.output<typeof wagerWithSettlement> {
  return { ...presentWager(wager), settlement: { ...settlement, state: stateOf(wager.outcome, settlement) } };
}
