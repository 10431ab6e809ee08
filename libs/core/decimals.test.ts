import { describe, expect, it } from '@jest/globals';
import {
  acceptance,
  cancellation,
  decision,
  done,
  emptyBook,
  micros,
  odds,
  offer,
  userRecord,
} from '#testing/core/builders.js';
import { pictureOf } from '#testing/core/ledger-check.js';
import type { OddsMicros } from './money.js';
import { execute, type Operation } from './operation.js';

const START = micros(1_000_000_000);

const richBook = (decimals: number) => {
  const book = emptyBook(false, decimals);
  for (const number of [1, 2, 3]) book.loadUser(userRecord(number, { balance: START }));
  return book;
};

describe('a part of an offer', () => {
  const offerOf = (number: number, amount: number, atOdds: number) =>
    offer({ requestingUser: { id: BigInt(number) }, requestingAmount: micros(amount), requestingOdds: odds(atOdds) });
  const part = (amount: number, betId: bigint | null = null) => acceptance({ acceptingAmount: micros(amount), betId });

  it('whose winnings are rounded to nothing is not taken', () => {
    const book = richBook(2);
    const { betId } = done(book, offerOf(1, 1, 1.99));
    expect(execute(book, part(0.01))).toMatchObject({ code: 'no-matching-offers' });
    expect(execute(book, part(0.01, betId))).toMatchObject({ code: 'part-too-small' });
    expect(done(book, part(0.02))).toHaveLength(1);
  });

  it('is passed over for an offer of which it wins something', () => {
    const book = richBook(2);
    done(book, offerOf(1, 1, 1.99));
    done(book, offerOf(3, 1, 2));
    expect(done(book, part(0.01))).toMatchObject([{ acceptedOdds: odds(2) }]);
  });

  it('may be all of it, and without decimals anything', () => {
    const whole = richBook(2);
    done(whole, offerOf(1, 0.01, 1.5));
    expect(done(whole, part(0.01))).toHaveLength(1);
    const plain = emptyBook();
    for (const number of [1, 2]) plain.loadUser(userRecord(number, { balance: START }));
    done(plain, offerOf(1, 1, 1.4));
    expect(done(plain, part(0.000001))).toHaveLength(1);
  });
});

describe('an account with decimals', () => {
  it('needs for an offer and its acceptance no more than what they can cost', () => {
    const book = emptyBook(false, 0);
    book.loadUser(userRecord(1, { balance: micros(1) }));
    book.loadUser(userRecord(2, { balance: micros(0) }));
    done(book, offer({ requestingOdds: 1_900_000n as OddsMicros, requestingAmount: micros(1) }));
    done(book, acceptance({ acceptingAmount: micros(1) }));
    expect([book.user(1n).exposure, book.user(2n).exposure]).toEqual([micros(1), 0n]);
    done(book, decision('win'));
    expect([book.user(1n).balance, book.user(2n).balance]).toEqual([micros(1), 0n]);
  });

  const tooFine = micros(1.005);
  it.each<[string, Operation]>([
    ['requesting_amount', offer({ requestingAmount: tooFine })],
    ['accepting_amount', acceptance({ acceptingAmount: tooFine })],
    ['cancel_amount', cancellation({ cancelAll: false, cancelAmount: tooFine })],
    ['amount', { type: 'fund_user', user: { id: 1n }, amount: tooFine, description: '' }],
    ['amount', { type: 'withdraw', user: { id: 1n }, amount: tooFine, description: '' }],
  ])('refuses a finer %s, and changes nothing', (field, operation) => {
    const book = richBook(2);
    done(book, offer());
    const before = pictureOf(book);
    expect(execute(book, operation)).toMatchObject({
      code: 'too-many-decimals',
      kind: 'invalid',
      text: `${field} must not have more than 2 decimal places`,
    });
    expect(pictureOf(book)).toEqual(before);
    expect(execute(richBook(3), operation)).not.toMatchObject({ code: 'too-many-decimals' });
  });
});
