import { createHash, randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { Sha256 } from './sha256.js';

const digestOf = (...parts: readonly Uint8Array[]) => {
  const hash = new Sha256();
  for (const part of parts) hash.update(part);
  return hash.digest();
};

describe('a digest', () => {
  it('is that of node:crypto, at every length around the blocks', () => {
    for (let length = 0; length <= 200; length += 1) {
      const bytes = randomBytes(length);
      expect(digestOf(bytes)).toBe(createHash('sha256').update(bytes).digest('hex'));
    }
  });

  it('is the same however the content is cut', () => {
    const bytes = randomBytes(100_003);
    const wanted = createHash('sha256').update(bytes).digest('hex');
    for (const at of [0, 1, 55, 56, 63, 64, 65, 50_000]) {
      expect(digestOf(bytes.subarray(0, at), bytes.subarray(at))).toBe(wanted);
    }
  });
});
