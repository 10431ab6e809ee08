import { describe, expect, it } from '@jest/globals';
import {
  amounts,
  bookWith,
  decision,
  done,
  emptyBook,
  micros,
  moneyOf,
  odds,
  offer,
  userRecord,
  wagerRecord,
} from '#testing/core/builders.js';
import { differencesIn, ledgerOf, pictureOf } from '#testing/core/ledger-check.js';
import { execute, needsOf } from './operation.js';

describe('make-offer', () => {
  it('creates the wager, the bet and its trail, and moves the exposure', () => {
    const book = bookWith(500, 0);
    const answer = done(book, offer({ allowedAcceptorIds: [2n], allowedAcceptorReferences: ['u2'], meta: { a: 'b' } }));
    expect(answer).toEqual({ betId: 101n, wagerId: 11n, wagerReference: 'w' });
    expect(moneyOf(book, 1)).toEqual(amounts(500, 100));
    const { insertedBets, insertedWagers, metas, trails, transactions, insertedPositions } = book.changes();
    expect(insertedWagers).toEqual([wagerRecord(11n, 'w')]);
    expect(insertedBets).toEqual([
      {
        id: 101n,
        wagerId: 11n,
        requestingUserId: 1n,
        requestingOdds: odds(3),
        requestingAmount: micros(100),
        allowedAcceptorIds: [2n],
        queuePlace: 101n,
        expiresAt: null,
        cancelOnSuspend: false,
        acceptedAt: null,
        timedOut: false,
        offerStatus: 'requesting',
        acceptingUserId: null,
        effectiveOdds: null,
        effectiveAmount: null,
        overrideOutcome: null,
        settledOutcome: null,
        isActive: true,
        sparedUpTo: null,
        paid: 0n,
      },
    ]);
    expect([...metas.values()]).toEqual([{ a: 'b' }]);
    expect(trails).toEqual([
      {
        kinds: ['offer.made'],
        restBetId: null,
        reason: null,
        betId: 101n,
        wagerId: 11n,
        offerStatus: 'requesting',
        description: 'Offer made',
        outcome: 'undecided',
        overrideOutcome: null,
        requestingOdds: odds(3),
        requestingAmount: micros(100),
        acceptingOdds: null,
        acceptingAmount: null,
        effectiveOdds: null,
        effectiveAmount: null,
      },
    ]);
    expect(transactions).toEqual([]);
    expect(insertedPositions).toEqual([]); // a lone offer
  });

  it('uses an existing wager', () => {
    const book = bookWith(500);
    done(book, offer());
    expect(done(book, offer({ requestingUser: { reference: 'u1' } }))).toMatchObject({ betId: 102n, wagerId: 11n });
    expect(book.changes().insertedWagers).toHaveLength(1);
    expect(moneyOf(book, 1)).toEqual(amounts(500, 200));
  });

  it.each([
    ['invalid', 'requesting_user_id or requesting_user_reference must be defined', offer({ requestingUser: {} })],
    ['not-found', 'User not found', offer({ requestingUser: { id: 7n } })],
    ['not-found', 'User not found', offer({ requestingUser: { reference: 'nobody' } })],
    ['not-found', 'User not found', offer({ requestingUser: { id: 1n, reference: 'nobody' } })],
    [
      'invalid',
      'requesting_user_id and requesting_user_reference must name the same user',
      offer({ requestingUser: { id: 1n, reference: 'u2' } }),
    ],
    ['invalid', 'Wager has already been decided', offer({ wagerReference: 'old' })],
    ['not-found', 'Allowed acceptor not found', offer({ allowedAcceptorIds: [2n, 7n] })],
    ['not-found', 'Allowed acceptor not found', offer({ allowedAcceptorReferences: ['nobody'] })],
    [
      'invalid',
      'possible winnings must not be greater than 8589934591.999999',
      offer({ requestingOdds: odds(1_000_000), requestingAmount: micros(10_000) }),
    ],
    [
      'invalid',
      'Insufficient balance: offer would cause negative effective balance',
      offer({ requestingAmount: micros(500.000001) }),
    ],
  ])('%s: %s', (kind, text, operation) => {
    const book = bookWith(500, 0);
    book.loadWager(wagerRecord(5n, 'old', 'push'));
    const before = pictureOf(book);
    expect(execute(book, operation)).toMatchObject({ kind, text });
    expect(pictureOf(book)).toEqual(before);
  });

  it('follows the preference of the user, else that of the account', () => {
    const attempt = (ofAccount: boolean, ofUser: boolean | null) => {
      const book = emptyBook(ofAccount);
      book.loadUser(userRecord(1, { allowNegativeBalance: ofUser }));
      return execute(book, offer());
    };
    const made = { betId: 101n };
    const refused = { code: 'offer-unfunded' };
    expect(attempt(false, null)).toMatchObject(refused);
    expect(attempt(true, null)).toMatchObject(made);
    expect(attempt(false, true)).toMatchObject(made);
    expect(attempt(true, false)).toMatchObject(refused);
  });

  it('is not refused for a debt that it does not increase', () => {
    const book = bookWith(0, 0);
    book.user(1n).balance = micros(-50);
    book.loadWager(wagerRecord(5n, 'hedged'));
    book.positions.load({ userId: 1n, wagerId: 5n, win: micros(-100), loss: micros(100), offered: micros(0) });
    book.user(1n).exposure = micros(100);
    expect(execute(book, offer({ wagerReference: 'hedged' }))).toMatchObject({ wagerId: 5n });
    expect(moneyOf(book, 1)).toEqual(amounts(-50, 100));
    expect(execute(book, offer({ wagerReference: 'hedged', requestingAmount: micros(100.000001) }))).toMatchObject({
      code: 'offer-unfunded',
    });
  });

  it("is refused when a figure would exceed the ledger's bound", () => {
    const book = emptyBook(true);
    book.loadUser(userRecord(1));
    const large = offer({ requestingOdds: odds(1), requestingAmount: micros(1_000_000_000) });
    for (let count = 0; count < 8; count += 1) done(book, large);
    expect(execute(book, large)).toMatchObject({
      kind: 'invalid',
      text: 'no balance, exposure or position of a user may be greater than 8589934591.999999',
    });
    expect(differencesIn(ledgerOf(book))).toEqual([]);
  });

  it('needs its user, its wager and the users of its allow-list', () => {
    expect(needsOf(offer({ allowedAcceptorIds: [2n], allowedAcceptorReferences: ['u3'] }))).toMatchObject({
      users: [{ id: 1n }],
      namedUsers: [{ id: 2n }, { reference: 'u3' }],
      wagers: [{ reference: 'w' }],
      newBets: 1,
      newWagers: 1,
    });
  });

  it('is refused in a wager that the same Book decided', () => {
    const book = bookWith(500);
    done(book, offer());
    done(book, decision('void'));
    expect(execute(book, offer())).toMatchObject({ text: 'Wager has already been decided' });
  });
});
