import { describe, expect, it } from '@jest/globals';
import { amounts, bookWith, done, emptyBook, micros, moneyOf, offer, userRecord } from '#testing/core/builders.js';
import { differencesIn, ledgerOf, pictureOf } from '#testing/core/ledger-check.js';
import { execute, needsOf } from './operation.js';
import { reject } from './rejection.js';

const fund = (amount: number, user = {}) =>
  ({ type: 'fund_user', user: { id: 1n, ...user }, amount: micros(amount), description: 'Balance funded' }) as const;
const withdraw = (amount: number, user = {}) =>
  ({ type: 'withdraw', user: { id: 1n, ...user }, amount: micros(amount), description: 'Withdrawal' }) as const;

describe('funding and withdrawing', () => {
  it('changes the balance, with one transaction each', () => {
    const book = bookWith(0);
    expect(done(book, fund(10))).toEqual({
      userId: 1n,
      amount: micros(10),
      description: 'Balance funded',
      transactionType: 'credit',
      transactionSource: 'funding',
      balanceAfter: micros(10),
      trail: null,
    });
    expect(done(book, withdraw(9.999999, { id: undefined, reference: 'u1' }))).toEqual({
      userId: 1n,
      amount: micros(9.999999),
      description: 'Withdrawal',
      transactionType: 'debit',
      transactionSource: 'withdrawal',
      balanceAfter: micros(0.000001),
      trail: null,
    });
    expect(moneyOf(book, 1)).toEqual(amounts(0.000001, 0));
    expect(book.changes().transactions).toHaveLength(2);
    expect(differencesIn(ledgerOf(book))).toEqual([]);
    expect([needsOf(fund(1)).users, needsOf(withdraw(1)).users]).toEqual([[{ id: 1n }], [{ id: 1n }]]);
  });

  it('takes an own reference once, and gives it back with what is refused', () => {
    const book = bookWith(10);
    book.noteTakenReference('stored');
    const taken = reject('own-reference-taken');
    expect(execute(book, { ...fund(1), ownReference: 'stored' })).toEqual(taken);
    expect(execute(book, { ...withdraw(11), ownReference: 'a' })).toEqual(reject('withdrawal-unfunded'));
    expect(done(book, { ...withdraw(1), ownReference: 'a', meta: { b: 'c' } })).toMatchObject({
      ownReference: 'a',
      meta: { b: 'c' },
    });
    expect(execute(book, { ...fund(1), ownReference: 'a' })).toEqual(taken);
    expect(moneyOf(book, 1)).toEqual(amounts(9, 0));
    expect(needsOf({ ...fund(1), ownReference: 'a' }).ownReferences).toEqual(['a']);
  });

  const missing = { id: undefined };
  it.each([
    ['invalid', 'user_id or user_reference must be defined', fund(1, missing)],
    ['invalid', 'user_id or user_reference must be defined', withdraw(1, missing)],
    ['not-found', 'User not found', fund(1, { id: 7n })],
    ['not-found', 'User not found', withdraw(1, { reference: 'nobody' })],
    ['invalid', 'user_id and user_reference must name the same user', fund(1, { reference: 'u2' })],
    ['invalid', 'user_id and user_reference must name the same user', withdraw(1, { reference: 'u2' })],
    ['invalid', 'Insufficient balance: withdrawal would cause negative effective balance', withdraw(500.000001)],
    ['invalid', 'Insufficient balance: withdrawal would cause negative effective balance', withdraw(500, { id: 2n })],
    [
      'invalid',
      'no balance, exposure or position of a user may be greater than 8589934591.999999',
      fund(1, { id: 3n }),
    ],
  ])('%s: %s', (kind, text, operation) => {
    const book = bookWith(500, 500, 8_589_934_591.5);
    done(book, offer({ requestingUser: { id: 2n }, requestingAmount: micros(0.000001) }));
    const before = pictureOf(book);
    expect(execute(book, operation)).toMatchObject({ kind, text });
    expect(pictureOf(book)).toEqual(before);
  });

  it('funds a user in debt, and withdraws into debt if the user may go negative', () => {
    const book = emptyBook();
    book.loadUser(userRecord(1, { balance: micros(-50) }));
    book.loadUser(userRecord(2, { allowNegativeBalance: true }));
    done(book, fund(10));
    expect(moneyOf(book, 1)).toEqual(amounts(-40, 0));
    expect(execute(book, withdraw(0.01))).toMatchObject({ code: 'withdrawal-unfunded' });
    done(book, withdraw(70, { id: 2n }));
    expect(moneyOf(book, 2)).toEqual(amounts(-70, 0));
  });
});
