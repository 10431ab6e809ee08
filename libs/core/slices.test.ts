import { describe, expect, it } from '@jest/globals';
import { acceptance, bookWith, cancellation, done, micros, odds, offer, wagerRecord } from '#testing/core/builders.js';
import { pictureOf } from '#testing/core/ledger-check.js';
import { EVERYONE, endOfOdds, MoreOffers } from './offers.js';
import { execute } from './operation.js';
import type { Bet } from './records.js';

const ids = [1, 2, 3, 4].map(BigInt);

/** Stored: u1 offers 10 at odds 2, in turn on w (11) and v (12): bets 101 to 106. Tests load some of them. */
const storedOffers = () => {
  const store = bookWith(1000, 1000, 1000, 1000);
  const terms = { requestingOdds: odds(2), requestingAmount: micros(10) };
  for (const wagerReference of ['w', 'v', 'w', 'v', 'w', 'v']) done(store, offer({ ...terms, wagerReference }));
  const book = bookWith(1000, 1000, 1000, 1000);
  for (const _ of store.bets.values()) book.nextBetId();
  for (const position of store.positions.values()) book.positions.load({ ...position });
  for (const wager of store.wagers.values()) {
    book.loadWager({ ...wager });
    for (const userId of ids) book.positions.loadEmpty(userId, wager.id);
  }
  const betOf = (id: bigint): Bet => ({ ...(store.bets.get(id) as Bet) });
  const load = (...betIds: bigint[]) => {
    for (const id of betIds) book.loadBet(betOf(id));
  };
  return { book, betOf, load };
};

describe('accepting from a slice', () => {
  const accept = (amount: number) => acceptance({ acceptingAmount: micros(amount) });

  it('takes offers of the covered part, when they suffice', () => {
    const { book, betOf, load } = storedOffers();
    load(101n, 103n);
    book.cover(11n, EVERYONE, betOf(103n));
    expect(done(book, accept(15))).toMatchObject([{ betId: 101n }, { betId: 103n, acceptedAmount: micros(5) }]);
  });

  it('asks for the next slice, filtered for the acceptor, and continues with it', () => {
    const { book, betOf, load } = storedOffers();
    load(101n, 103n);
    book.cover(11n, EVERYONE, betOf(103n));
    const before = pictureOf(book);
    const more = execute(book, accept(25));
    expect(more).toBeInstanceOf(MoreOffers);
    const scope = { kind: 'acceptableTo', acceptingUserId: 2n, requestingUserId: null } as const;
    expect(more).toMatchObject({ scope, wagerIds: [11n], maximumOdds: odds(3), after: { id: 103n } });
    expect(pictureOf(book)).toEqual(before);
    load(105n);
    book.cover(11n, scope, endOfOdds(odds(3)));
    expect(done(book, accept(25)).map((match) => match.betId)).toEqual([101n, 103n, 105n]);
  });

  it('takes no offer behind the covered part, even if it is loaded', () => {
    const { book, betOf, load } = storedOffers();
    load(101n, 105n);
    book.cover(11n, EVERYONE, betOf(101n));
    expect(execute(book, accept(15))).toMatchObject({ after: { id: 101n } });
    expect(done(book, accept(10))).toMatchObject([{ betId: 101n }]);
  });

  it('is refused for lack of offers only when all up to its odds are covered', () => {
    const { book } = storedOffers();
    expect(execute(book, accept(10))).toMatchObject({ after: null });
    book.cover(11n, EVERYONE, endOfOdds(odds(2.9)));
    expect(execute(book, accept(10))).toBeInstanceOf(MoreOffers);
    book.cover(11n, EVERYONE, endOfOdds(odds(3)));
    expect(execute(book, accept(10))).toMatchObject({ code: 'no-matching-offers' });
  });

  it('does not find a bet that the same Book just made, because no caller can know its id', () => {
    const { book } = storedOffers();
    book.loadWager(wagerRecord(13n, 'other'));
    book.positions.loadEmpty(1n, 13n);
    const { betId } = done(book, offer({ wagerReference: 'other' }));
    expect(execute(book, acceptance({ betId, wagerReference: null }))).toMatchObject({ code: 'bet-not-found' });
  });
});

describe('canceling from a slice', () => {
  const own = { kind: 'ownOf', requestingUserId: 1n, minimumOdds: null, maximumOdds: null } as const;
  const cancel = (amount: number) =>
    cancellation({ wagerReferences: ['w', 'v'], cancelAll: false, cancelAmount: micros(amount) });

  it('cancels as far as all of its wagers are covered', () => {
    const { book, betOf, load } = storedOffers();
    load(101n, 102n, 103n, 105n);
    book.cover(11n, own, betOf(105n));
    book.cover(12n, own, betOf(102n));
    expect(execute(book, cancel(25))).toMatchObject({ scope: own, wagerIds: [11n, 12n], after: { id: 102n } });
    expect(done(book, cancel(20)).offers.map((entry) => entry.betId)).toEqual([101n, 102n]);
  });

  it('asks only for the wagers that are not fully covered', () => {
    const { book, load } = storedOffers();
    load(101n, 103n, 105n);
    book.cover(11n, own, 'all');
    expect(execute(book, cancel(10))).toMatchObject({ wagerIds: [12n], maximumOdds: null, after: null });
    load(102n, 104n, 106n);
    book.cover(12n, own, 'all');
    expect(done(book, cancel(35)).offers.map((entry) => entry.betId)).toEqual([101n, 102n, 103n, 107n]);
  });
});
