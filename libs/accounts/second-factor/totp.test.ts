import { describe, expect, it } from '@jest/globals';
import { newTotpSecret, shownTotp, stepOf } from './totp.js';

/** Of the test vectors of RFC 6238, appendix B: the last six digits of those with SHA-1. */
const SECRET = Buffer.from('12345678901234567890');
const VECTORS: readonly [seconds: number, code: string][] = [
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
];

const at = (seconds: number) => new Date(seconds * 1_000);

describe('a code by time', () => {
  it.each(VECTORS)('is that of RFC 6238 at second %d: %s', (seconds, code) => {
    expect(stepOf(SECRET, code, at(seconds))).toBe(Math.floor(seconds / 30));
  });

  it('is taken one step before and one after its own, and names its own', () => {
    const code = '005924';
    const step = Math.floor(1_234_567_890 / 30);
    const start = step * 30;
    const stepsAt = [start - 31, start - 30, start, start + 29, start + 59, start + 60].map((seconds) =>
      stepOf(SECRET, code, at(seconds)),
    );
    expect(stepsAt).toEqual([undefined, step, step, step, step, undefined]);
  });

  it.each(['', '5924', '05924', '0005924', 'abcdef', '005925', '-05924'])('is not %j', (code) => {
    expect(stepOf(SECRET, code, at(1_234_567_890))).toBeUndefined();
  });

  it('may be typed as the app shows it', () => {
    expect(stepOf(SECRET, ' 005 924 ', at(1_234_567_890))).toBeDefined();
  });
});

describe('a secret', () => {
  it('has 160 random bits, and is shown in base32 and as an address', () => {
    const secrets = new Set(Array.from({ length: 50 }, () => newTotpSecret().toString('hex')));
    expect([secrets.size, newTotpSecret().length]).toEqual([50, 20]);
    const { secret, uri } = shownTotp(SECRET, 'owner@example.com');
    expect(secret).toBe('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ');
    const { protocol, host, pathname, searchParams } = new URL(uri);
    expect([protocol, host, decodeURIComponent(pathname)]).toEqual([
      'otpauth:',
      'totp',
      '/Betting Ledger:owner@example.com',
    ]);
    expect(Object.fromEntries(searchParams)).toEqual({
      issuer: 'Betting Ledger',
      secret,
      algorithm: 'SHA1',
      digits: '6',
      period: '30',
    });
  });
});
