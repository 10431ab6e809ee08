import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  acceptance,
  amounts,
  bookWith,
  cancellation,
  decision,
  done,
  micros,
  moneyOf,
  offer,
  wagerRecord,
} from '#testing/core/builders.js';
import { differencesIn, ledgerOf, pictureOf } from '#testing/core/ledger-check.js';
import { asMicros } from './money.js';
import { MoreOffers } from './offers.js';
import { type BatchItem, execute, executeBatch, isFailure, type Operation } from './operation.js';

const items = (...operations: Operation[]): BatchItem[] =>
  operations.map((operation, index) => ({ operationId: `x${index + 1}`, operation }));

describe('executeBatch', () => {
  it('executes in order, each operation on the result of the earlier ones', () => {
    const book = bookWith(1000, 1000);
    const override = { type: 'override_bet_outcome', betId: 101n, overrideOutcome: 'win' } as const;
    const answers = executeBatch(
      book,
      items(
        offer(),
        acceptance(),
        override,
        offer({ wagerReference: 'v' }),
        cancellation({ betId: 102n }),
        decision('loss'),
      ),
    );
    expect(answers).toMatchObject([
      { operationId: 'x1', type: 'make_bet_offer', answer: { betId: 101n } },
      { operationId: 'x2', type: 'accept_bet_offer', answer: [{ betId: 101n }] },
      { operationId: 'x3', type: 'override_bet_outcome', answer: { betId: 101n } },
      { operationId: 'x4', type: 'make_bet_offer', answer: { betId: 102n } },
      { operationId: 'x5', type: 'cancel_bet_offer', answer: { offers: [{ betId: 102n }] } },
      { operationId: 'x6', type: 'update_wager_outcome', answer: { settledCount: 0, remainingCount: 0 } },
    ]);
    expect(moneyOf(book, 1)).toEqual(amounts(1200, 0));
    expect(differencesIn(ledgerOf(book), () => micros(1000))).toEqual([]);
  });

  it('judges the money once, at the end: cancel and replace in either order', () => {
    const replace = offer({ requestingAmount: micros(450) });
    const cancel = cancellation({ betId: 101n });
    for (const order of [items(cancel, replace), items(replace, cancel)]) {
      const book = bookWith(500);
      done(book, offer({ requestingAmount: micros(400) }));
      expect(isFailure(executeBatch(book, order))).toBe(false);
      expect(moneyOf(book, 1)).toEqual(amounts(500, 450));
    }
  });

  it('refuses offers that are affordable alone and not together, and leaves no trace', () => {
    const book = bookWith(500, 100);
    const before = pictureOf(book);
    const two = (requestingUser: { id: bigint }) => offer({ requestingUser, requestingAmount: micros(60) });
    const batch = items(two({ id: 2n }), two({ id: 1n }), two({ id: 2n }), two({ id: 1n }));
    expect(executeBatch(book, batch)).toMatchObject({
      kind: 'invalid',
      code: 'offer-unfunded',
      text: "operation 'x3': Insufficient balance: offer would cause negative effective balance",
    });
    expect(pictureOf(book)).toEqual(before);
    expect(done(book, offer())).toMatchObject({ betId: 101n, wagerId: 11n });
  });

  it.each<[string, BatchItem[], string]>([
    [
      'a refused operation',
      items(offer(), acceptance(), decision('win'), offer()),
      "operation 'x4': Wager has already been decided",
    ],
    ['an unknown user', items(offer(), offer({ requestingUser: { id: 9n } })), "operation 'x2': User not found"],
    [
      'a figure beyond the ledger',
      items(
        offer(),
        ...[3n, 3n].map((id) => ({ type: 'fund_user', user: { id }, amount: micros(1e9), description: '' }) as const),
      ),
      "operation 'x3': no balance, exposure or position of a user may be greater than 8589934591.999999",
    ],
    ['repeated ids', [...items(offer()), ...items(offer())], 'Operation IDs must be unique within a batch'],
  ])('is all or nothing: %s', (_name, batch, text) => {
    const book = bookWith(1000, 1000, 7_000_000_000);
    done(book, offer({ wagerReference: 'before' }));
    const before = pictureOf(book);
    expect(executeBatch(book, batch)).toMatchObject({ text });
    expect(pictureOf(book)).toEqual(before);
  });

  it('never refuses a settlement for lack of money, but an offer beside it', () => {
    const hedged = () => {
      const book = bookWith(200, 200);
      done(book, offer());
      done(book, acceptance());
      done(book, offer({ requestingUser: { id: 2n } }));
      done(book, acceptance({ acceptingUser: { id: 1n } }));
      done(book, { type: 'withdraw', user: { id: 1n }, amount: micros(200), description: '' });
      return book;
    };
    const override = { type: 'override_bet_outcome', betId: 101n, overrideOutcome: 'loss' } as const;
    expect(isFailure(executeBatch(hedged(), items(override)))).toBe(false);
    expect(
      executeBatch(hedged(), items(override, offer({ wagerReference: 'v', requestingAmount: micros(1) }))),
    ).toMatchObject({
      text: "operation 'x2': Insufficient balance: offer would cause negative effective balance",
    });
  });

  it('has the same result in any order of operations that fund and offer', () => {
    const moves = fc.array(
      fc.integer({ min: -30_000_000, max: 30_000_000 }).filter((move) => move !== 0),
      { minLength: 1, maxLength: 8 },
    );
    const shuffled = moves.chain((some) =>
      fc.tuple(fc.constant(some), fc.shuffledSubarray(some, { minLength: some.length })),
    );
    const start = micros(50);
    const user = { id: 1n };
    const operationOf = (move: number, index: number): Operation => {
      const amount = asMicros(BigInt(Math.abs(move)));
      if (move > 0) return { type: 'fund_user', user, amount, description: '' };
      return offer({ requestingUser: user, wagerReference: `w${index}`, requestingAmount: amount });
    };
    fc.assert(
      fc.property(shuffled, ([some, other]) => {
        const total = start + some.reduce((sum, move) => sum + BigInt(move), 0n);
        const isLower = some.some((move) => move < 0) && total < start;
        for (const order of [some, other]) {
          const book = bookWith(50, 50, 50);
          const result = executeBatch(book, items(...order.map(operationOf)));
          expect(isFailure(result)).toBe(isLower && total < 0n);
          expect(differencesIn(ledgerOf(book), () => start)).toEqual([]);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('ends as MoreOffers as a whole when one operation needs more offers', () => {
    const book = bookWith(1000, 1000);
    book.loadWager(wagerRecord(5n, 'w'));
    for (const userId of [1n, 2n])
      book.positions.load({ userId, wagerId: 5n, win: micros(0), loss: micros(0), offered: micros(0) });
    const before = pictureOf(book);
    const result = executeBatch(book, items(offer(), acceptance()));
    expect(result).toBeInstanceOf(MoreOffers);
    expect(result).toMatchObject({ wagerIds: [5n], after: null, scope: { kind: 'acceptableTo', acceptingUserId: 2n } });
    expect(pictureOf(book)).toEqual(before);
    book.cover(5n, { kind: 'everyone' }, 'all');
    expect(isFailure(executeBatch(book, items(offer(), acceptance())))).toBe(false);
  });
});

describe('execute', () => {
  it('undoes an attempt that throws, and throws on', () => {
    const book = bookWith(1000);
    book.loadWager(wagerRecord(5n, 'w'));
    const before = pictureOf(book);
    expect(() => execute(book, offer())).toThrow('the position of user 1 in wager 5 is not in the book');
    expect(pictureOf(book)).toEqual(before);
    expect(done(book, offer({ wagerReference: 'v' }))).toMatchObject({ betId: 101n });
  });
});
