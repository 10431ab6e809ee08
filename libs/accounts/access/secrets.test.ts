import { describe, expect, it } from '@jest/globals';
import { basicPart, wholeBasicHeader } from './basic-header.js';
import {
  accountOfApiKey,
  createAccountToken,
  createApiKeyPair,
  createResetCode,
  readAccountToken,
  sha256,
} from './secrets.js';

describe('a token', () => {
  it('names its account, and is read back with its hash', () => {
    const { token, hash, accountId } = createAccountToken(42n);
    expect(token).toMatch(/^42\.[\w-]{43}$/);
    expect([hash, accountId]).toEqual([sha256(token), 42n]);
    expect(readAccountToken(token)).toEqual({ accountId: 42n, hash });
    expect(createAccountToken(42n).token).not.toBe(token);
  });

  it.each([
    '',
    'nonsense',
    `x.${'a'.repeat(43)}`,
    `1.${'a'.repeat(42)}`,
    `1.${'a'.repeat(44)}`,
    `1.${'a'.repeat(43)} `,
  ])('is none: %j', (text) => {
    expect(readAccountToken(text)).toBeUndefined();
  });

  it('is none when its account has more digits than an id', () => {
    expect(readAccountToken(`${'9'.repeat(18)}.${'a'.repeat(43)}`)?.accountId).toBe(999_999_999_999_999_999n);
    expect(readAccountToken(`${'9'.repeat(19)}.${'a'.repeat(43)}`)).toBeUndefined();
    expect(readAccountToken('9'.repeat(1_000_000))).toBeUndefined();
  });
});

describe('an API key', () => {
  it('names its account; its secret does not, and is hashed', () => {
    const { apiKey, apiSecret, secretHash } = createApiKeyPair(7n);
    expect(accountOfApiKey(apiKey)).toBe(7n);
    expect(apiSecret).toMatch(/^[\w-]{43}$/);
    expect(secretHash).toEqual(sha256(apiSecret));
  });

  it.each(['', 'key_7_', `key_x_${'a'.repeat(24)}`, `key_7_${'a'.repeat(25)}`, `key_${'9'.repeat(1_000)}_x`])(
    'is none: %s',
    (text) => {
      expect(accountOfApiKey(text)).toBeUndefined();
    },
  );
});

describe('a reset code', () => {
  it('has eight digits, and those of a thousand differ', () => {
    const codes = Array.from({ length: 1_000 }, createResetCode);
    expect(codes.filter((code) => !/^\d{8}$/.test(code))).toEqual([]);
    expect(new Set(codes).size).toBeGreaterThan(990);
  });
});

describe('a Basic header', () => {
  const headerOf = (pair: string) => `Basic ${Buffer.from(pair).toString('base64')}`;
  /** As passport-http reads it: it splits at every colon, and takes the first two parts. */
  const partsOf = (header: string) =>
    Buffer.from(header.slice('Basic '.length), 'base64').toString().split(':').slice(0, 2).map(basicPart);

  it.each([
    ['key:secret', ['key', 'secret']],
    ['key:secret:junk', ['key', 'secret:junk']],
    [':', ['', '']],
    ['ü%:%3A', ['ü%', '%3A']],
  ])('keeps both parts whole: %s', (pair, parts) => {
    expect(partsOf(wholeBasicHeader(headerOf(pair)))).toEqual(parts);
    expect(partsOf(wholeBasicHeader(headerOf(pair).replace('Basic', 'bAsIc ')))).toEqual(parts);
  });

  it.each(['', 'Basic', 'Basic !!!', headerOf('no colon'), 'Bearer abc', `${headerOf('a:b')} more`])(
    'is none: %j',
    (header) => {
      expect(wholeBasicHeader(header)).toBe('');
    },
  );
});
