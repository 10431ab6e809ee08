import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { MemoryStore } from '#proof/simulation/memory-store.js';
import { admin, bookWith, done, offer, userRow } from '#testing/core/builders.js';
import { differencesIn, ledgerOf, pictureOf } from '#testing/core/ledger-check.js';
import { operationFrom, type Plan, planLimits } from '#testing/core/random-operations.js';
import type { Book } from './book.js';
import { isFailure } from './decision.js';
import { execute, executeBatch } from './execute.js';
import { asMicros } from './money.js';
import type { Operation } from './operation.js';
import { outcomes } from './outcome.js';
import type { Bet } from './records.js';

/** What everyone starts with: enough for most, not for all. */
const START = 50_000_000n;
const newBook = () => bookWith(50, 50, 50);
const start = () => START;

const plan: fc.Arbitrary<Plan> = fc.record({
  kind: fc.nat(planLimits.kinds - 1),
  user: fc.integer({ min: 1, max: 3 }),
  other: fc.integer({ min: 1, max: 3 }),
  wager: fc.nat(3),
  amountMicros: fc.oneof(fc.integer({ min: 1, max: 20_000_000 }), fc.integer({ min: 1, max: 9 })),
  oddsMicros: fc.oneof(
    fc.integer({ min: 1_000_000, max: 4_000_000 }),
    fc.constantFrom(1_000_000, 2_000_000, 3_000_000),
  ),
  outcome: fc.nat(planLimits.outcomes - 1),
  bet: fc.nat(14),
  isWhole: fc.boolean(),
});
const operations = (maxLength: number) =>
  fc.array(plan.map(operationFrom), { minLength: maxLength < 10 ? 1 : 10, maxLength, size: 'max' });

const run = (book: Book, some: readonly Operation[]) => {
  for (const operation of some) execute(book, operation);
};
/** Until nothing is pending in any wager. */
const settleAll = (book: Book) => {
  for (const { id: wagerId } of [...book.wagers.values()]) {
    done(book, { type: 'settle_chunk', wagerId, bound: 1_000_000 });
  }
};
const moneyIn = (book: Book) => {
  const { users, positions } = pictureOf(book);
  return { users, positions };
};

describe('whatever happens to a ledger', () => {
  it('what is kept by differences equals the facts, and bets sum to zero', () => {
    fc.assert(
      fc.property(operations(60), (some) => {
        const book = newBook();
        run(book, some);
        expect(differencesIn(ledgerOf(book), start)).toEqual([]);
      }),
      { numRuns: 400 },
    );
  });

  it('what is refused leaves no trace', () => {
    fc.assert(
      fc.property(operations(30), (some) => {
        const book = newBook();
        for (const operation of some) {
          const before = pictureOf(book);
          if (isFailure(execute(book, operation))) expect(pictureOf(book)).toEqual(before);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('a refused batch leaves no trace, an accepted one equals its operations', () => {
    fc.assert(
      fc.property(operations(25), operations(6), (some, batch) => {
        const [book, twin] = [newBook(), newBook()];
        run(book, some);
        run(twin, some);
        const before = pictureOf(book);
        const result = executeBatch(
          book,
          batch.map((operation, index) => ({ operationId: `${index}`, operation })),
        );
        if (isFailure(result)) {
          expect(pictureOf(book)).toEqual(before);
        } else {
          expect(differencesIn(ledgerOf(book), start)).toEqual([]);
          const alone = batch.map((operation) => execute(twin, operation));
          if (!alone.some(isFailure)) expect(pictureOf(twin)).toEqual(pictureOf(book));
        }
      }),
      { numRuns: 250 },
    );
  });

  it('nobody who committed itself alone ends below zero and lower than before', () => {
    fc.assert(
      fc.property(operations(60), (some) => {
        const book = newBook();
        const effective = () => [...book.users.values()].map(({ balance, exposure }) => balance - exposure);
        for (const operation of some) {
          const before = effective();
          execute(book, operation);
          if (!['make_bet_offer', 'accept_bet_offer', 'cancel_bet_offer', 'withdraw'].includes(operation.type))
            continue;
          for (const [index, after] of effective().entries()) {
            expect(after >= 0n || after >= (before[index] ?? 0n)).toBe(true);
          }
        }
      }),
      { numRuns: 150 },
    );
  });
});

describe('settling', () => {
  it('in chunks equals settling at once', () => {
    const outcome = fc.constantFrom(...outcomes);
    fc.assert(
      fc.property(operations(40), outcome, fc.integer({ min: 1, max: 4 }), (some, given, bound) => {
        const [whole, chunked] = [newBook(), newBook()];
        run(whole, [offer({ wagerReference: 'w0' }), ...some]);
        run(chunked, [offer({ wagerReference: 'w0' }), ...some]);
        const force = { type: 'force_wager_outcome', wagerReference: 'w0', outcome: given, action: admin } as const;
        if (whole.wagerNamed('w0') === undefined) return;
        done(whole, { ...force, bound: 1_000_000 });
        const { wagerId, remainingCount } = done(chunked, { ...force, bound });
        expect(chunked.wager(wagerId).isSettling).toBe(remainingCount > 0);
        for (let remaining = remainingCount; chunked.wager(wagerId).isSettling; ) {
          const chunk = done(chunked, { type: 'settle_chunk', wagerId, bound });
          expect(chunk).toEqual({
            wagerId,
            settledCount: Math.min(bound, remaining),
            isComplete: remaining < bound,
          });
          remaining -= chunk.settledCount;
        }
        const { followUps: _chunks, ...settled } = pictureOf(chunked);
        const { followUps: _none, ...settledAtOnce } = pictureOf(whole);
        expect(settled).toEqual(settledAtOnce);
        expect(chunked.followUps.at(-1)).toEqual({ kind: 'check-portfolios', wagerId });
      }),
      { numRuns: 150 },
    );
  });

  it('again moves nothing', () => {
    fc.assert(
      fc.property(operations(50), (some) => {
        const book = newBook();
        run(book, some);
        settleAll(book);
        const before = pictureOf(book);
        settleAll(book);
        expect(pictureOf(book)).toEqual(before);
      }),
      { numRuns: 100 },
    );
  });

  it('leaves nothing at stake in a decided wager, but for bets that were overridden as undecided', () => {
    const isStill = (bet: Bet) => bet.overrideOutcome !== 'undecided';
    fc.assert(
      fc.property(operations(50), (some) => {
        const book = newBook();
        run(book, some);
        settleAll(book);
        for (const { win, loss, offered, wagerId } of book.positions.values()) {
          const isOver = book.wager(wagerId).outcome !== 'undecided' && [...book.offersOf(wagerId).bets].every(isStill);
          if (isOver) expect([win, loss, offered]).toEqual([0n, 0n, 0n]);
        }
        expect(differencesIn(ledgerOf(book), start)).toEqual([]);
      }),
      { numRuns: 100 },
    );
  });
});

describe('an admin action applied and undone', () => {
  const correct = (book: Book, action: Operation, undo: Operation) => {
    const before = moneyIn(book);
    if (isFailure(execute(book, action))) return;
    done(book, undo);
    expect(moneyIn(book)).toEqual(before);
  };

  it('returns balances, exposures and positions exactly', () => {
    const outcome = fc.constantFrom(...outcomes);
    fc.assert(
      fc.property(operations(40), outcome, (some, given) => {
        const book = newBook();
        run(book, some);
        settleAll(book);
        for (const { id: betId, isActive, overrideOutcome } of [...book.bets.values()].map((bet) => ({ ...bet }))) {
          const bet = { betId, action: admin };
          const set = { type: 'set_bet_active', ...bet } as const;
          correct(book, { ...set, isActive: !isActive }, { ...set, isActive });
          const force = { type: 'force_bet_override', ...bet } as const;
          correct(book, { ...force, overrideOutcome: given }, { ...force, overrideOutcome });
        }
        for (const { reference: wagerReference, outcome: present } of [...book.wagers.values()].map((row) => ({
          ...row,
        }))) {
          const force = { type: 'force_wager_outcome', wagerReference, bound: 1_000_000, action: admin } as const;
          correct(book, { ...force, outcome: given }, { ...force, outcome: present });
        }
        expect(differencesIn(ledgerOf(book), start)).toEqual([]);
      }),
      { numRuns: 100 },
    );
  });
});

describe('a batch', () => {
  it('is judged at its end only, whatever its order', () => {
    const moves = fc.array(
      fc.integer({ min: -30_000_000, max: 30_000_000 }).filter((move) => move !== 0),
      { minLength: 1, maxLength: 8 },
    );
    const shuffled = moves.chain((some) =>
      fc.tuple(fc.constant(some), fc.shuffledSubarray(some, { minLength: some.length })),
    );
    const itemOf = (move: number, index: number) => {
      const amount = asMicros(BigInt(Math.abs(move)));
      const user = { id: 1n };
      const operation: Operation =
        move > 0
          ? { type: 'fund_user', user, amount, description: '' }
          : offer({ requestingUser: user, wagerReference: `w${index}`, requestingAmount: amount });
      return { operationId: `x${index}`, operation };
    };
    fc.assert(
      fc.property(shuffled, ([some, other]) => {
        const total = START + some.reduce((sum, move) => sum + BigInt(move), 0n);
        const isLower = some.some((move) => move < 0) && total < START;
        for (const order of [some, other]) {
          const book = newBook();
          const result = executeBatch(book, order.map(itemOf));
          expect(isFailure(result)).toBe(isLower && total < 0n);
          expect(differencesIn(ledgerOf(book), start)).toEqual([]);
        }
      }),
      { numRuns: 300 },
    );
  });
});

describe('books with no more in them than the needs of a group say, in slices', () => {
  it('decide as one that holds everything', () => {
    // Two chunks of one group load the same bets, so the second one may settle less than its bound; it says so.
    const unbounded = (operation: Operation) => ('bound' in operation ? { ...operation, bound: 500 } : operation);
    const group = operations(4).map((some) => (some.length === 1 ? some : some.map(unbounded)));
    const groups = fc.array(group, { minLength: 5, maxLength: 25, size: 'max' });
    fc.assert(
      fc.property(groups, fc.integer({ min: 1, max: 3 }), (some, sliceSize) => {
        const book = newBook();
        const users = [1, 2, 3].map((number) => userRow(number, { balance: asMicros(START) }));
        const store = new MemoryStore(users, sliceSize);
        for (const group of some) {
          const whole = group.map((operation) => execute(book, operation));
          expect(store.run(group)).toEqual(whole);
        }
        const picture = pictureOf(book);
        expect([...store.users.values()]).toEqual(picture.users);
        expect([...store.bets.values()]).toEqual(picture.bets);
        const kept = { users: store.users.values(), bets: store.bets.values(), positions: store.positions.values() };
        expect(differencesIn({ ...kept, transactions: store.transactions }, start)).toEqual([]);
      }),
      { numRuns: 250 },
    );
  });
});
