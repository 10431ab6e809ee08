import { z } from 'zod';
import type { Outcome } from '#core/outcome.js';
import { readWager } from '#reads/read-wager.js';
import type { Settlement, WagerWithSettlement } from '#reads/wager.js';
import { endpoint } from '../../endpoint.js';
import { count, dataWith } from '../../fields/answers.js';
import { accountId } from '../../fields/lists.js';
import { visibleAccount } from '../../guards/visible-accounts.js';
import { presentWager, settling, wagerExample, wagerIdentity, wagerPath, wagerTimes } from './wager.js';

const wagerWithSettlement = z
  .strictObject({
    ...wagerIdentity,
    ...settling,
    ...wagerTimes,
    settlement: z.strictObject({
      bets: count('The matched ones.'),
      settled: count('Those of them whose outcome is in the balances.'),
      remaining: count('What has still to move to where the outcome says, offers too.'),
      state: z.enum(['undecided', 'settling', 'settled']).meta({ description: 'How far it is as a whole.' }),
    }),
  })
  .meta({
    id: 'WagerWithSettlement',
    description: 'A wager, and how far its bets are settled.',
    examples: [
      { ...wagerExample, settling_since: null, settlement: { bets: 1, settled: 0, remaining: 0, state: 'undecided' } },
    ],
  });

function stateOf(outcome: Outcome, { remaining }: Settlement): 'undecided' | 'settling' | 'settled' {
  if (remaining > 0) return 'settling';
  return outcome === 'undecided' ? 'undecided' : 'settled';
}

function presentWagerWithSettlement({ wager, settlement }: WagerWithSettlement): z.output<typeof wagerWithSettlement> {
  return { ...presentWager(wager), settlement: { ...settlement, state: stateOf(wager.outcome, settlement) } };
}

export const wagerRead = endpoint({
  method: 'get',
  path: '/wagers/:reference',
  tag: 'Wagers',
  summary: 'Read a wager, and how far its bets are settled',
  access: 'account',
  status: 200,
  // It counts every bet of the wager.
  isList: true,
  params: wagerPath,
  query: z.object({ account_id: accountId }),
  answer: dataWith(wagerWithSettlement, 'Wager retrieved'),
  refusals: ['wager-unknown'],
  async handle({ params, query, caller }, { database }) {
    const found = await readWager(database, visibleAccount(caller, query.account_id), params.reference);
    return { data: presentWagerWithSettlement(found), message: 'Wager retrieved' };
  },
});
