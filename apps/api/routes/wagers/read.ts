import { z } from 'zod';
import type { Outcome } from '#core/records.js';
import { readWager, readWagerWithBook } from '#reads/read-wager.js';
import type { SettlementProgress, WagerWithSettlement } from '#reads/wager.js';
import { endpoint } from '../../endpoint.js';
import { count, dataWith } from '../../fields/answers.js';
import { accountId } from '../../fields/lists.js';
import { visibleAccount } from '../../guards/visible-accounts.js';
import { depth, orderBook, presentOrderBook } from './read-book.js';
import {
  presentWager,
  settling,
  wagerClock,
  wagerClockExample,
  wagerExample,
  wagerIdentity,
  wagerPath,
  wagerTimes,
} from './wager.js';

const wagerWithSettlement = z
  .strictObject({
    ...wagerIdentity,
    ...wagerClock,
    ...settling,
    ...wagerTimes,
    settlement: z.strictObject({
      bets: count('The matched ones.'),
      settled: count('Those of them whose outcome is in the balances.'),
      remaining: count('What has still to move to where the outcome says, offers too.'),
      state: z.enum(['undecided', 'settling', 'settled']).meta({ description: 'How far it is as a whole.' }),
    }),
    book: orderBook.optional().meta({ description: 'With `depth`: the book at the same moment.' }),
  })
  .meta({
    id: 'WagerWithSettlement',
    description: 'A wager, and how far its bets are settled.',
    examples: [
      {
        ...wagerExample,
        ...wagerClockExample,
        settling_since: null,
        settlement: { bets: 1, settled: 0, remaining: 0, state: 'undecided' },
      },
    ],
  });

function stateOf(outcome: Outcome, { remaining }: SettlementProgress): 'undecided' | 'settling' | 'settled' {
  if (remaining > 0) return 'settling';
  return outcome === 'undecided' ? 'undecided' : 'settled';
}

const present = ({ wager, settlement }: WagerWithSettlement): z.output<typeof wagerWithSettlement> => ({
  ...presentWager(wager),
  settlement: { ...settlement, state: stateOf(wager.outcome, settlement) },
});

const RETRIEVED = 'Wager retrieved';

export const wagerRead = endpoint({
  method: 'get',
  path: '/wagers/:reference',
  tag: 'Wagers',
  summary: 'Read a wager, and how far its bets are settled',
  access: 'account',
  // It counts every bet of the wager.
  isList: true,
  params: wagerPath,
  query: z.object({
    depth: depth.meta({ description: 'Shows the book too, with so many levels.' }),
    account_id: accountId,
  }),
  answer: dataWith(wagerWithSettlement, RETRIEVED),
  refusals: ['wager-not-found'],
  async handle({ params, query, caller }, { database }) {
    const account = visibleAccount(caller, query.account_id);
    const { reference } = params;
    if (query.depth === undefined) {
      return { data: present(await readWager(database.of(account), account, reference)), message: RETRIEVED };
    }
    const found = await readWagerWithBook(database, account, { reference, depth: query.depth, userId: undefined });
    return { data: { ...present(found), book: presentOrderBook(found.book) }, message: RETRIEVED };
  },
});
