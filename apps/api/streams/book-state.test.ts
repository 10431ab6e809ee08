import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isDecided } from '#core/impact.js';
import type { Micros, OddsMicros } from '#core/money.js';
import type { Outcome } from '#core/records.js';
import type { CancelingOffers } from '#ledger/row-types.js';
import type { LogEvent } from '#reads/event.js';
import { isCanceledBy, type OpenOffer, sizeOf } from '#reads/open-offers.js';
import type { StreamedLevel } from './book-levels.js';
import { BookState } from './book-state.js';

const WAGER = 7n;
const USERS = [1n, 2n, 3n, 4n] as const;
const VIEWS = [undefined, ...USERS];

/** A book that keeps nothing but its offers, and looks at all of them for each answer. */
class PlainBook {
  readonly offers = new Map<bigint, OpenOffer>();
  outcome: Outcome = 'undecided';

  first(depth: number, userId: bigint | undefined): StreamedLevel[] {
    if (isDecided(this.outcome)) return [];
    const seen = [...this.offers.values()].filter((offer) => userId === undefined || mayAccept(offer, userId));
    const odds = [...new Set(seen.map((offer) => offer.odds))].sort((a, b) => Number(a - b));
    return odds.slice(0, depth).map((each) => {
      const here = seen.filter((offer) => offer.odds === each);
      const amount = here.reduce((sum, offer) => sum + offer.amount, 0n);
      const oldest = Math.min(...here.map(({ createdAt }) => createdAt.getTime()));
      return { odds: each, amount, offers: here.length, oldest };
    });
  }

  /** With what is held for these users. */
  sizeWith(userIds: ReadonlySet<bigint>): number {
    const held = [...userIds].flatMap((userId) => [...this.offers.values()].filter((offer) => isHeld(offer, userId)));
    return [...this.offers.values()].reduce((sum, offer) => sum + sizeOf(offer), held.length);
  }
}

const mayAccept = ({ userId, allowedAcceptorIds }: OpenOffer, byUser: bigint) =>
  userId !== byUser && (allowedAcceptorIds.length === 0 || allowedAcceptorIds.includes(byUser));

const isHeld = (offer: OpenOffer, userId: bigint) => offer.allowedAcceptorIds.length > 0 && mayAccept(offer, userId);

function offerWith(offer: Partial<Omit<OpenOffer, 'odds' | 'createdAt'>> & { id: bigint; odds: bigint; at: number }) {
  const { odds, at, ...others } = offer;
  const defaults = { amount: 5n, userId: 1n, allowedAcceptorIds: [], queuePlace: offer.id, cancelOnSuspend: false };
  return { ...defaults, ...others, odds: odds as OddsMicros, createdAt: new Date(at) } satisfies OpenOffer;
}

function eventOf(type: string, offer: OpenOffer): LogEvent {
  const bet = {
    id: offer.id,
    wagerId: WAGER,
    offerStatus: 'requesting',
    isActive: true,
    queuePlace: offer.queuePlace,
    requestingOdds: offer.odds,
    requestingAmount: offer.amount as Micros,
    requestingUserId: offer.userId,
    allowedAcceptorIds: offer.allowedAcceptorIds,
    createdAt: offer.createdAt,
  };
  return { type, bet, ref: offer.id, extra: {} } as unknown as LogEvent;
}

const wagerEvent = (type: string, extra: object) => ({ type, ref: WAGER, extra }) as unknown as LogEvent;

type Change = (book: BookState, plain: PlainBook, held: Set<bigint>) => void;

const user = fc.constantFrom(...USERS);
const id = fc.bigInt({ min: 1n, max: 30n });
const odds = fc.bigInt({ min: 1_000_000n, max: 1_000_007n });

const offers = fc
  .record({ id, odds, userId: user, amount: fc.bigInt({ min: 1n, max: 9n }), at: fc.integer({ min: 0, max: 5 }) })
  .chain((offer) =>
    fc.array(user, { maxLength: 12 }).map((allowed) => {
      const isForSome = allowed.length % 2 === 1;
      return offerWith({ ...offer, allowedAcceptorIds: isForSome ? allowed : [] });
    }),
  );

const opening: fc.Arbitrary<Change> = offers.map((offer) => (book, plain) => {
  const isNew = !plain.offers.has(offer.id);
  expect(book.apply(eventOf('offer.made', offer))).toBe(isNew);
  if (isNew) plain.offers.set(offer.id, offer);
});

const closing: fc.Arbitrary<Change> = offers.map((offer) => (book, plain) => {
  expect(book.apply(eventOf('offer.matched', offer))).toBe(plain.offers.delete(offer.id));
});

const canceling: fc.Arbitrary<Change> = fc.record({ user, id, odds }).map((named) => (book, plain) => {
  const canceled: CancelingOffers = {
    user_id: Number(named.user),
    minimum_odds: Number(named.odds),
    maximum_odds: null,
    queue_place: Number(named.id),
    bet_id: Number(named.id),
  };
  book.apply(wagerEvent('wager.canceling', { canceling: canceled }));
  for (const offer of [...plain.offers.values()]) if (isCanceledBy(offer, canceled)) plain.offers.delete(offer.id);
});

const deciding: fc.Arbitrary<Change> = fc
  .constantFrom<Outcome>('undecided', 'win', 'undecided')
  .map((outcome) => (book, plain) => {
    book.apply(wagerEvent('wager.decided', { outcome }));
    plain.outcome = outcome;
  });

const looking: fc.Arbitrary<Change> = user.map((userId) => (book, plain, held) => {
  book.first(1, userId);
  if (!isDecided(plain.outcome)) held.add(userId);
});

const leaving: fc.Arbitrary<Change> = user.map((userId) => (book, _plain, held) => {
  book.forget(userId);
  held.delete(userId);
});

const changes = fc.oneof(
  ...[
    { weight: 8, arbitrary: opening },
    { weight: 5, arbitrary: closing },
    { weight: 1, arbitrary: canceling },
  ],
  ...[
    { weight: 1, arbitrary: deciding },
    { weight: 2, arbitrary: looking },
    { weight: 1, arbitrary: leaving },
  ],
);

const OFFERS = 50_000;
const MAKERS = 50;

/** Each at odds of its own, in no order. */
const manyOffers = () =>
  Array.from({ length: OFFERS }, (_, count) =>
    offerWith({
      id: BigInt(count + 1),
      odds: 1_000_000n + BigInt((count * 7_919) % OFFERS),
      at: count,
      userId: BigInt(count % MAKERS),
    }),
  );

function heapBytes(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return process.memoryUsage().heapUsed;
}

/** In milliseconds. */
function medianOf<Item>(items: readonly Item[], run: (item: Item) => unknown): number {
  const took = items.map((item) => {
    const from = performance.now();
    run(item);
    return performance.now() - from;
  });
  return took.sort((a, b) => a - b)[took.length >> 1] as number;
}

describe('the state of a book', () => {
  it('shows each user the same as a look at all offers, whatever has changed', () => {
    fc.assert(
      fc.property(fc.array(changes, { maxLength: 80 }), fc.integer({ min: 1, max: 9 }), (made, depth) => {
        const plain = new PlainBook();
        const book = new BookState(WAGER, { outcome: 'undecided', offers: [] });
        const held = new Set<bigint>();
        for (const change of made) {
          change(book, plain, held);
          for (const userId of [undefined, ...held])
            expect(book.first(depth, userId)).toEqual(plain.first(depth, userId));
          expect(book.size).toBe(plain.sizeWith(held));
        }
        expect(VIEWS.map((each) => book.first(depth, each))).toEqual(VIEWS.map((each) => plain.first(depth, each)));
      }),
      { numRuns: 300 },
    );
  });

  it('takes next to nothing for the views of fifty users on fifty thousand offers', () => {
    const read = manyOffers();
    let book = new BookState(WAGER, { outcome: 'undecided', offers: [] });
    const made = medianOf([1, 2, 3], () => {
      book = new BookState(WAGER, { outcome: 'undecided', offers: read });
    });
    const before = heapBytes();
    const userIds = Array.from({ length: MAKERS }, (_, count) => BigInt(count));
    const shown: (readonly StreamedLevel[])[] = [];
    const viewed = medianOf(userIds, (userId) => shown.push(book.first(10, userId)));
    const added = heapBytes() - before;
    expect(shown.map((levels) => levels.length)).toEqual(userIds.map(() => 10));
    // A copy of the book takes more than that for one view.
    expect(added).toBeLessThan(8_000_000);
    expect(viewed).toBeLessThan(made / 4);
  });

  it('passes the offers of a user who has nearly all of them', () => {
    const read = manyOffers().map((offer) => ({ ...offer, userId: offer.odds === 1_049_999n ? 2n : 1n }));
    const book = new BookState(WAGER, { outcome: 'undecided', offers: read });
    const first = medianOf([1n], (userId) => book.first(10, userId));
    const looks = Array.from({ length: 51 }, (_, count) =>
      offerWith({ id: BigInt(OFFERS + 1 + count), odds: 2_000_000n, at: OFFERS, userId: 2n }),
    );
    const again = medianOf(looks, (offer) => {
      book.apply(eventOf('offer.made', offer));
      expect(book.first(10, 1n)).toHaveLength(2);
    });
    expect(again).toBeLessThan(first / 20);
  });

  it('counts the offers that a view for a user adds', () => {
    const read = [1n, 2n, 3n].map((each) =>
      offerWith({ id: each, odds: 2_000_000n, at: 0, allowedAcceptorIds: [5n, 6n] }),
    );
    const book = new BookState(WAGER, { outcome: 'undecided', offers: read });
    expect([book.mayShowTo(5n, 6), book.size]).toEqual([true, 3]);
    book.first(1, 5n);
    expect([book.size, book.mayShowTo(5n, 1), book.mayShowTo(6n, 8), book.mayShowTo(6n, 9)]).toEqual([
      6,
      true,
      false,
      true,
    ]);
    book.forget(5n);
    expect([book.size, book.mayShowTo(6n, 6)]).toEqual([3, true]);
    expect([book.mayShowTo(9n, 1), book.mayShowTo(undefined, 1)]).toEqual([true, true]);
  });
});
