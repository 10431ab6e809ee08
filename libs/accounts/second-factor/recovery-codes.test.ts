import { describe, expect, it } from '@jest/globals';
import { newRecoveryCodes, recoveryHashOf } from './recovery-codes.js';

describe('recovery codes', () => {
  it('are ten, of 16 symbols of 5 bits, all of them used, and no two alike', () => {
    const codes = Array.from({ length: 50 }, newRecoveryCodes).flat();
    expect(new Set(codes).size).toBe(500);
    for (const code of codes) expect(code).toMatch(/^[0-9a-hjkmnp-tv-z]{4}(-[0-9a-hjkmnp-tv-z]{4}){3}$/);
    for (let place = 0; place < 19; place += 1) {
      const seen = new Set(codes.map((code) => code[place]));
      expect(seen.size).toBe(place % 5 === 4 ? 1 : 32);
    }
  });

  it('are found by their hash, however they are written', () => {
    const [code = ''] = newRecoveryCodes();
    const hash = recoveryHashOf(code);
    expect(hash).toHaveLength(32);
    expect(hash?.toString()).not.toContain(code);
    for (const written of [code.toUpperCase(), code.replaceAll('-', ''), ` ${code.replaceAll('-', ' ')} `]) {
      expect(recoveryHashOf(written)).toEqual(hash);
    }
    expect(recoveryHashOf('0011-2233-4455-6677')).toEqual(recoveryHashOf('oOiL-2233-4455-6677'));
  });

  it.each(['', '123456', '0011-2233-4455-667', '0011-2233-4455-66778', '0011-2233-4455-667u'])('are not %j', (text) => {
    expect(recoveryHashOf(text)).toBeUndefined();
  });
});
