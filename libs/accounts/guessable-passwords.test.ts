import { describe, expect, it } from '@jest/globals';
import { Refusal } from '#platform/errors/refusal.js';
import { assertNotCommon, assertNotObvious } from './guessable-passwords.js';

const ACCOUNT = { name: 'Corner Shop Bets', email: 'head.office@corner-betting.example' };

function codeOf(assertion: () => void): string | undefined {
  try {
    assertion();
    return undefined;
  } catch (error) {
    if (error instanceof Refusal) return error.code;
    throw error;
  }
}

const obvious = (password: string) => codeOf(() => assertNotObvious(password, ACCOUNT));
const common = (password: string) => codeOf(() => assertNotCommon(password));

describe('an obvious password', () => {
  it.each([
    ['Corner Shop Bets', 'the name of the account'],
    ['cornershopbets2026', 'with digits behind it'],
    ['HEAD.OFFICE!', 'what stands before the @ of the address'],
    ['corner-betting.example', 'what stands behind it'],
    ['Corner_Betting_1', 'without the last part'],
    ['head.office@corner-betting.example', 'the whole address'],
    ['Betting Ledger 99', 'the name of the service'],
    ['!!ledger!!', 'a word of that'],
  ])('%s: %s', (password) => {
    expect(obvious(password)).toBe('password-obvious');
  });

  it.each(['ledger of the corner shop', 'C0rner-Sh0p-B3ts'])('is not %s, which has other letters', (password) => {
    expect(obvious(password)).toBeUndefined();
  });

  it('is none of a short name: nearly each password would have its letters', () => {
    const short = { name: 'Bets', email: 'a@b.example' };
    expect(codeOf(() => assertNotObvious('bets-12345', short))).toBeUndefined();
    expect(codeOf(() => assertNotObvious('b-example', short))).toBe('password-obvious');
  });

  it('is found in any alphabet', () => {
    const account = { name: 'Ставки Онлайн', email: 'a@b.example' };
    expect(codeOf(() => assertNotObvious('СТАВКИ-ОНЛАЙН-1', account))).toBe('password-obvious');
  });
});

describe('a common password', () => {
  it.each([
    ['password1', 'of breaches'],
    ['PASSWORD1', 'in any case'],
    ['!!password1??', 'with punctuation around it'],
    ['12sunshine99', 'with digits around its letters'],
    ['23456789', 'a run of digits'],
    ['98765432', 'backward'],
    ['qwertyui', 'a run of a keyboard'],
    ['lkjhgfdsa', 'backward'],
    ['aaaaaaaa', 'one character again and again'],
    ['abcabcabcabc', 'a few characters again and again'],
    ['31122026', 'a date'],
    ['20261231', 'a date, the year first'],
  ])('%s: %s', (password) => {
    expect(common(password)).toBe('password-common');
  });

  it.each(['correct horse battery', 'k8#vTq2!mZ', 'passwordless ferry', 'abcabcabcabcabcabcabcabcabcabc'])(
    'is not %s',
    (password) => {
      expect(common(password)).toBeUndefined();
    },
  );

  it('is not made by a quotation mark or a backslash, which JSON writes in another way', () => {
    expect(common('pass"word1\\')).toBeUndefined();
    expect(common('"password1"')).toBe('password-common');
  });
});
