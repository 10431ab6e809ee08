import { describe, expect, it } from '@jest/globals';
import {
  acceptance,
  admin,
  amounts,
  bookWith,
  cancellation,
  decision,
  done,
  micros,
  moneyOf,
  odds,
  offer,
} from '#testing/core/builders.js';
import { differencesIn, ledgerOf, pictureOf } from '#testing/core/ledger-check.js';
import { execute, needsOf } from './operation.js';

/** u1, u2, u3 and u4 with 1000 each. */
const richBook = () => bookWith(1000, 1000, 1000, 1000);
const start = () => micros(1000);
const check = (book: ReturnType<typeof richBook>) => expect(differencesIn(ledgerOf(book), start)).toEqual([]);

describe('accept-offer by wager', () => {
  it('matches an offer as a whole', () => {
    const book = richBook();
    done(book, offer());
    expect(done(book, acceptance())).toEqual([
      {
        betId: 101n,
        requestingUserId: 1n,
        requestingUserReference: 'u1',
        acceptedAmount: micros(100),
        acceptedOdds: odds(3),
        wagerId: 11n,
        wagerReference: 'w',
      },
    ]);
    expect(moneyOf(book, 1)).toEqual(amounts(1000, 100));
    expect(moneyOf(book, 2)).toEqual(amounts(1000, 200));
    expect(book.changes().trails[1]).toMatchObject({
      offerStatus: 'accepted',
      description: 'Offer accepted',
      acceptingOdds: odds(3),
      acceptingAmount: micros(100),
      effectiveOdds: odds(3),
      effectiveAmount: micros(100),
    });
    check(book);
  });

  it('takes the lowest odds first, then the oldest, and as much as there is', () => {
    const book = richBook();
    done(book, offer({ requestingOdds: odds(3) }));
    done(book, offer({ requestingOdds: odds(2) }));
    done(book, offer({ requestingOdds: odds(2), requestingUser: { id: 3n } }));
    done(book, offer({ requestingOdds: odds(3.5) }));
    const answer = done(book, acceptance({ acceptingAmount: micros(1000) }));
    expect(answer.map((match) => match.betId)).toEqual([102n, 103n, 101n]);
    check(book);
  });

  it('splits the last offer: the part keeps the id, the rest keeps the terms and the place', () => {
    const book = richBook();
    done(book, offer({ allowedAcceptorIds: [2n], meta: { a: 'b' } }));
    done(book, offer());
    const answer = done(book, acceptance({ acceptingAmount: micros(30) }));
    expect(answer).toMatchObject([{ betId: 101n, acceptedAmount: micros(30) }]);
    const { insertedBets, metas, trails } = book.changes();
    expect(insertedBets[0]).toMatchObject({
      id: 101n,
      offerStatus: 'accepted',
      requestingAmount: micros(100),
      effectiveAmount: micros(30),
    });
    expect(insertedBets[2]).toMatchObject({
      id: 103n,
      queuePlace: 101n,
      offerStatus: 'requesting',
      requestingAmount: micros(70),
      requestingOdds: odds(3),
      allowedAcceptorIds: [2n],
      effectiveAmount: null,
    });
    expect([...metas].map(([bet, meta]) => [bet.id, meta])).toEqual([
      [101n, { a: 'b' }],
      [103n, { a: 'b' }],
    ]);
    expect(trails.slice(2)).toMatchObject([
      { betId: 101n, description: 'Offer accepted for 30 of 100' },
      { betId: 103n, description: 'Offer for the rest of accepted bet 101', requestingAmount: micros(70) },
    ]);
    expect(done(book, acceptance({ acceptingAmount: micros(80) }))).toMatchObject([
      { betId: 103n, acceptedAmount: micros(70) },
      { betId: 102n, acceptedAmount: micros(10) },
    ]);
    check(book);
  });

  it('passes over offers that are not for this acceptor', () => {
    const book = richBook();
    done(book, offer({ requestingUser: { id: 2n }, requestingOdds: odds(1.1) }));
    done(book, offer({ allowedAcceptorIds: [3n], requestingOdds: odds(1.2) }));
    done(book, offer({ requestingUser: { id: 4n }, requestingOdds: odds(1.3) }));
    done(book, offer({ allowedAcceptorReferences: ['u2'], requestingOdds: odds(1.4) }));
    done(book, { type: 'set_bet_active', betId: 103n, isActive: false, action: admin });
    const answer = done(book, acceptance({ acceptingAmount: micros(1000) }));
    expect(answer.map((match) => match.betId)).toEqual([104n]);
    check(book);
  });

  it('matches no more offers than its bound, and is done with that', () => {
    const book = richBook();
    for (let made = 0; made < 3; made += 1) done(book, offer());
    const answer = done(book, acceptance({ acceptingAmount: micros(1000), bound: 2 }));
    expect(answer.map((match) => match.betId)).toEqual([101n, 102n]);
    check(book);
  });

  it('takes only the offers of one user when the caller names it', () => {
    const book = richBook();
    done(book, offer());
    done(book, offer({ requestingUser: { id: 3n } }));
    const answer = done(book, acceptance({ acceptingAmount: micros(1000), requestingUser: { reference: 'u3' } }));
    expect(answer.map((match) => match.betId)).toEqual([102n]);
  });

  it.each([
    ['invalid', 'accepting_user_id or accepting_user_reference must be defined', acceptance({ acceptingUser: {} })],
    ['not-found', 'User not found', acceptance({ acceptingUser: { id: 7n } })],
    [
      'invalid',
      'accepting_user_id and accepting_user_reference must name the same user',
      acceptance({ acceptingUser: { id: 2n, reference: 'u3' } }),
    ],
    ['not-found', 'User not found', acceptance({ requestingUser: { reference: 'nobody' } })],
    [
      'invalid',
      'requesting_user_id and requesting_user_reference must name the same user',
      acceptance({ requestingUser: { id: 1n, reference: 'u2' } }),
    ],
    ['invalid', 'wager_reference or bet_id must be defined', acceptance({ wagerReference: null })],
    ['invalid', 'No matching bet offers found', acceptance({ wagerReference: 'unknown' })],
    ['invalid', 'No matching bet offers found', acceptance({ maximumOdds: odds(2.999999) })],
    ['invalid', 'No matching bet offers found', acceptance({ acceptingUser: { id: 1n } })],
    ['invalid', 'No matching bet offers found', acceptance({ acceptingUser: { id: 3n } })],
    ['invalid', 'Wager has already been decided', acceptance({ wagerReference: 'old' })],
    [
      'invalid',
      'Insufficient balance: acceptance would cause negative effective balance',
      acceptance({ maximumOdds: odds(12), acceptingAmount: micros(200) }),
    ],
  ])('%s: %s', (kind, text, operation) => {
    const book = richBook();
    done(book, offer({ allowedAcceptorIds: [2n] }));
    done(book, offer({ requestingOdds: odds(12), allowedAcceptorIds: [2n] }));
    done(book, offer({ wagerReference: 'old' }));
    done(book, { ...decision('win'), reference: 'old' });
    const before = pictureOf(book);
    expect(execute(book, operation)).toMatchObject({ kind, text });
    expect(pictureOf(book)).toEqual(before);
    check(book);
  });
});

describe('accept-offer by bet', () => {
  const byBet = (some: Parameters<typeof acceptance>[0] = {}) =>
    acceptance({ wagerReference: 'ignored', betId: 101n, ...some });

  it('takes just that bet', () => {
    const book = richBook();
    done(book, offer());
    done(book, offer({ requestingOdds: odds(2) }));
    expect(done(book, byBet({ acceptingAmount: micros(400) }))).toMatchObject([
      { betId: 101n, acceptedAmount: micros(100), acceptedOdds: odds(3) },
    ]);
    check(book);
  });

  it.each([
    ['not-found', 'Bet not found', byBet({ betId: 999n })],
    ['invalid', 'a user cannot accept its own offer', byBet({ acceptingUser: { id: 1n } })],
    ['invalid', 'bet is not an offer of the requesting user', byBet({ requestingUser: { id: 3n } })],
    ['invalid', 'accepting user is not allowed to accept this offer', byBet({ acceptingUser: { id: 3n } })],
    ['invalid', 'bet odds 3 are above maximum_odds 2.5', byBet({ maximumOdds: odds(2.5) })],
    ['invalid', "bet offer status must be 'requesting'", byBet({ betId: 102n })],
    ['invalid', 'bet is not active', byBet({ betId: 103n })],
    ['invalid', 'Wager has already been decided', byBet({ betId: 104n })],
  ])('%s: %s', (kind, text, operation) => {
    const book = richBook();
    done(book, offer({ allowedAcceptorIds: [2n] }));
    done(book, offer({ wagerReference: 'x' }));
    done(book, offer({ wagerReference: 'y' }));
    done(book, offer({ wagerReference: 'z' }));
    done(book, cancellation({ wagerReferences: ['x'] }));
    done(book, { type: 'set_bet_active', betId: 103n, isActive: false, action: admin });
    done(book, { ...decision('loss'), reference: 'z' });
    const before = pictureOf(book);
    expect(execute(book, operation)).toMatchObject({ kind, text });
    expect(pictureOf(book)).toEqual(before);
    check(book);
  });

  it("needs the bet, or the wager's best offers", () => {
    expect(needsOf(byBet())).toMatchObject({ betIds: [101n], wagers: [], matchingOffers: null, newBets: 1 });
    expect(needsOf(acceptance({ requestingUser: { id: 1n } }))).toMatchObject({
      users: [{ id: 2n }],
      namedUsers: [{ id: 1n }],
      wagers: [{ reference: 'w' }],
      matchingOffers: { wagerReference: 'w', maximumOdds: odds(3), amount: micros(100) },
      newBets: 1,
      newWagers: 0,
    });
    expect(needsOf(acceptance({ wagerReference: null }))).toMatchObject({ wagers: [], betIds: [], newBets: 0 });
  });
});
