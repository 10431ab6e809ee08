import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { odds } from '#testing/core/builders.js';
import { byAge, byOdds, EVERYONE, endOfOdds, type OfferPlace, Offers, reaches } from './offers.js';
import type { Bet } from './records.js';

const offerAt = (id: number, price: number, queuePlace = id, requestingUserId = 1n) =>
  ({
    id: BigInt(id),
    requestingUserId,
    requestingOdds: odds(price),
    queuePlace: BigInt(queuePlace),
    offerStatus: 'requesting',
    isActive: true,
  }) as Bet;
const idsOf = (bets: readonly Bet[]) => bets.map((bet) => Number(bet.id));

describe('the order of offers', () => {
  it('is lowest odds, oldest place, id; and by age without the odds', () => {
    const offers = new Offers({ isNew: false });
    for (const bet of [offerAt(1, 3), offerAt(2, 2), offerAt(3, 3), offerAt(9, 3, 1), offerAt(5, 1.5), offerAt(4, 2)]) {
      offers.update(bet);
    }
    expect(idsOf(offers.open())).toEqual([5, 2, 4, 1, 9, 3]);
    expect(idsOf(offers.openOf(1n))).toEqual([1, 9, 2, 3, 4, 5]);
    expect(idsOf(offers.openOf(2n))).toEqual([]);
  });

  it('holds just the open offers after any changes', () => {
    const some = fc.record({
      id: fc.nat(30),
      price: fc.integer({ min: 1, max: 4 }),
      user: fc.nat(2),
      isOpen: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(some, { maxLength: 60 }), (steps) => {
        const offers = new Offers({ isNew: false });
        const bets = new Map<number, Bet>();
        for (const { id, price, user, isOpen } of steps) {
          const bet = bets.get(id) ?? offerAt(id, price, id >> 1, BigInt(user));
          bets.set(id, bet);
          bet.isActive = isOpen;
          offers.update(bet);
        }
        const open = [...bets.values()].filter((bet) => bet.isActive);
        expect(idsOf(offers.open())).toEqual(idsOf([...open].sort(byOdds)));
        for (const user of [0n, 1n, 2n]) {
          const own = open.filter((bet) => bet.requestingUserId === user).sort(byAge);
          expect(idsOf(offers.openOf(user))).toEqual(idsOf(own));
        }
      }),
    );
  });
});

describe('coverage', () => {
  const toTwo = { kind: 'acceptableTo', acceptingUserId: 2n, requestingUserId: null } as const;
  const ofOne = { kind: 'ownOf', requestingUserId: 1n, minimumOdds: null, maximumOdds: null } as const;
  const place: OfferPlace = offerAt(5, 2);

  it('is empty at first, and only grows', () => {
    const offers = new Offers({ isNew: false });
    expect(offers.coverageOf(EVERYONE)).toBeNull();
    offers.cover(EVERYONE, place);
    offers.cover(EVERYONE, offerAt(1, 2));
    expect(offers.coverageOf(EVERYONE)).toBe(place);
    offers.cover(EVERYONE, 'all');
    offers.cover(EVERYONE, place);
    expect(offers.coverageOf(EVERYONE)).toBe('all');
  });

  it('of all offers counts for every acceptor and, when complete, for every scope', () => {
    const offers = new Offers({ isNew: false });
    offers.cover(EVERYONE, place);
    expect(offers.coverageOf(toTwo)).toBe(place);
    expect(offers.coverageOf(ofOne)).toBeNull();
    offers.cover(EVERYONE, 'all');
    expect(offers.coverageOf(ofOne)).toBe('all');
  });

  it('of an acceptor counts for that acceptor alone', () => {
    const offers = new Offers({ isNew: false });
    const further = offerAt(7, 3);
    offers.cover(EVERYONE, place);
    offers.cover(toTwo, further);
    expect(offers.coverageOf(toTwo)).toBe(further);
    expect(offers.coverageOf({ ...toTwo, acceptingUserId: 3n })).toBe(place);
    expect(offers.coverageOf({ ...toTwo, requestingUserId: 1n })).toBe(place);
  });

  it('reaches the places before it', () => {
    expect(reaches(null, place, byOdds)).toBe(false);
    expect(reaches('all', place, byOdds)).toBe(true);
    expect(reaches(place, place, byOdds)).toBe(true);
    expect(reaches(place, offerAt(6, 2), byOdds)).toBe(false);
    expect(reaches(place, offerAt(4, 3), byOdds)).toBe(false);
    expect(reaches(endOfOdds(odds(2)), offerAt(999_999, 2), byOdds)).toBe(true);
    expect(reaches(endOfOdds(odds(2)), offerAt(1, 2.000001), byOdds)).toBe(false);
  });
});
