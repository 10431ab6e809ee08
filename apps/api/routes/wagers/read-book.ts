import { z } from 'zod';
import { readUser } from '#accounts/users/users.js';
import { numberFromMicros, numberFromSum } from '#core/money.js';
import * as fields from '#http/fields.js';
import { type OrderBook, readOrderBook } from '#reads/order-book.js';
import { endpoint } from '../../endpoint.js';
import { count, decimal, moment, text } from '../../fields/answers.js';
import { accountId } from '../../fields/lists.js';
import { visibleAccount } from '../../guards/visible-accounts.js';
import { wagerPath } from './wager.js';

export const USUAL_DEPTH = 10;
const MAX_DEPTH = 100;

const level = z.strictObject({
  odds: decimal('The odds of these offers.'),
  amount: decimal('Their stakes together.'),
  offers: count('How many they are.'),
  oldest: moment('When the oldest of them was made.'),
});

const lastMatch = z.strictObject({
  odds: decimal('The odds of the bet.'),
  amount: decimal('The amount that was matched.'),
  at: moment('When it was accepted.'),
});

const bookExample = {
  wager: 'home-win',
  status: 'undecided',
  as_of: '2026-01-15T18:40:00.000Z',
  best_odds: 2.5,
  levels: [{ odds: 2.5, amount: 30, offers: 2, oldest: '2026-01-15T18:36:00.000Z' }],
  open_amount: 30,
  open_offers: 2,
  matched_amount: 10,
  matched_bets: 1,
  last_matched: { odds: 2.5, amount: 10, at: '2026-01-15T18:39:00.000Z' },
};

export const orderBook = z
  .strictObject({
    wager: text('The wager, as the business calls it.'),
    status: z.enum(['undecided', 'settling', 'settled']).meta({
      description:
        'Whether bets wait for the worker, else whether the wager is decided. A decided wager has no offers.',
    }),
    as_of: moment('Everything that was done before this moment is in the book, and all of it is of one moment.'),
    best_odds: decimal('The lowest odds, which an acceptance takes first; null: no offer.').nullable(),
    levels: z.array(level).meta({ description: 'The open offers by odds, the lowest first: `depth` levels at most.' }),
    open_amount: decimal('The stakes of the open offers of all levels together.'),
    open_offers: count('How many open offers all levels have.'),
    matched_amount: decimal('The amounts of all bets that were ever matched on the wager.'),
    matched_bets: count('How many bets were ever matched on it.'),
    last_matched: lastMatch.nullable().meta({ description: 'The last acceptance; null: there is none.' }),
  })
  .meta({
    id: 'OrderBook',
    examples: [bookExample],
  });

function statusOf({ outcome, settlingSince }: OrderBook): z.output<typeof orderBook>['status'] {
  if (settlingSince !== null) return 'settling';
  return outcome === 'undecided' ? 'undecided' : 'settled';
}

export function presentOrderBook(book: OrderBook): z.output<typeof orderBook> {
  const levels = book.levels.map(({ odds, amount, offers, oldest }) => ({
    odds: numberFromMicros(odds),
    amount: numberFromSum(BigInt(amount)),
    offers: Number(offers),
    oldest,
  }));
  const { lastMatched } = book;
  return {
    wager: book.reference,
    status: statusOf(book),
    as_of: book.asOf,
    best_odds: levels[0]?.odds ?? null,
    levels,
    open_amount: numberFromSum(BigInt(book.openAmount)),
    open_offers: Number(book.openOffers),
    matched_amount: numberFromSum(BigInt(book.matchedAmount)),
    matched_bets: Number(book.matchedBets),
    last_matched: lastMatched && {
      odds: numberFromMicros(lastMatched.odds),
      amount: numberFromSum(BigInt(lastMatched.amount)),
      at: lastMatched.at,
    },
  };
}

export const depth = fields.integerText.pipe(z.int().min(1).max(MAX_DEPTH)).optional();

export const bookQuery = {
  depth: depth.meta({ description: `How many levels to show; ${USUAL_DEPTH}, unless given.` }),
  user_id: fields.idText.optional().meta({ description: 'Only the offers that this user may accept.' }),
  account_id: accountId,
};

export const wagerBook = endpoint({
  method: 'get',
  path: '/wagers/:reference/book',
  tag: 'Wagers',
  summary: 'Read the order book of a wager',
  description: 'The open offers by odds, and what was matched.',
  access: 'account',
  isList: true,
  params: wagerPath,
  query: z.object(bookQuery),
  answer: orderBook,
  refusals: ['wager-not-found', 'user-not-found'],
  async handle({ params, query, caller }, { database }) {
    const account = visibleAccount(caller, query.account_id);
    const { depth = USUAL_DEPTH } = query;
    const userId = query.user_id === undefined ? undefined : BigInt(query.user_id);
    if (userId !== undefined) await readUser(database.of(account), account, { id: userId });
    return presentOrderBook(
      await readOrderBook(database.of(account), account, { reference: params.reference, depth, userId }),
    );
  },
});
