// SHA-256 (FIPS 180-4) of content that comes in parts: browsers can only hash what they hold as a whole. Node.js does it ten
// times faster, and is asked without an import, which bundles for browsers could not resolve.

const BLOCK = 64;
const LENGTH_AT = 56;
const BITS = 8;
const WORD = 0x1_0000_0000;

const primes = [...Array(312).keys()].filter(
  (n) => n > 1 && ![...Array(n).keys()].some((d) => d > 1 && d * d <= n && n % d === 0),
);
/** The first bits behind the point of the roots of primes. */
const rootsOf = (count: number, root: (prime: number) => number): number[] =>
  primes.slice(0, count).map((prime) => (root(prime) % 1) * WORD);

const wordsOf = (numbers: readonly number[]): Int32Array => Int32Array.from(Uint32Array.from(numbers));

/** Signed words: V8 adds them without floating point. */
const ROUNDS = wordsOf(rootsOf(BLOCK, Math.cbrt));

const rotated = (word: number, by: number): number => (word >>> by) | (word << (32 - by));

export interface Digester {
  update(part: Uint8Array): void;
  /** In hexadecimal digits. Nothing can be added afterwards. */
  digest(): string;
}

export function createSha256(): Digester {
  const crypto = globalThis.process?.getBuiltinModule?.('node:crypto');
  if (crypto === undefined) return new Sha256();
  const hash = crypto.createHash('sha256');
  return { update: (part) => void hash.update(part), digest: () => hash.digest('hex') };
}

export class Sha256 implements Digester {
  readonly #state = wordsOf(rootsOf(BITS, Math.sqrt));
  readonly #words = new Int32Array(BLOCK);
  readonly #block = new Uint8Array(BLOCK);
  readonly #view = new DataView(this.#block.buffer);
  #filled = 0;
  #bytes = 0;

  update(part: Uint8Array): void {
    this.#bytes += part.byteLength;
    for (let from = 0; from < part.byteLength; ) {
      const until = Math.min(part.byteLength, from + BLOCK - this.#filled);
      this.#block.set(part.subarray(from, until), this.#filled);
      this.#filled += until - from;
      from = until;
      if (this.#filled === BLOCK) this.#compress();
    }
  }

  digest(): string {
    this.#block.fill(0, this.#filled);
    this.#block[this.#filled] = 0x80;
    if (this.#filled >= LENGTH_AT) {
      this.#compress();
      this.#block.fill(0);
    }
    this.#view.setBigUint64(LENGTH_AT, BigInt(this.#bytes * BITS));
    this.#compress();
    return [...Uint32Array.from(this.#state)].map((word) => word.toString(16).padStart(BITS, '0')).join('');
  }

  #compress(): void {
    const words = this.#words;
    for (let index = 0; index < 16; index += 1) words[index] = this.#view.getInt32(4 * index);
    for (let index = 16; index < BLOCK; index += 1) {
      const early = words[index - 15] as number;
      const late = words[index - 2] as number;
      const low = rotated(early, 7) ^ rotated(early, 18) ^ (early >>> 3);
      const high = rotated(late, 17) ^ rotated(late, 19) ^ (late >>> 10);
      words[index] = ((((words[index - 16] as number) + low) | 0) + (((words[index - 7] as number) + high) | 0)) | 0;
    }
    this.#mix(words);
    this.#filled = 0;
  }

  #mix(words: Int32Array): void {
    const state = this.#state;
    let [a, b, c, d, e, f, g, h] = [...state] as Eight;
    for (let index = 0; index < BLOCK; index += 1) {
      const high = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25);
      const given = ((ROUNDS[index] as number) + (words[index] as number)) | 0;
      const one = (((((h + high) | 0) + ((e & f) ^ (~e & g))) | 0) + given) | 0;
      const low = rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22);
      const other = (low + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      h = g;
      g = f;
      f = e;
      e = (d + one) | 0;
      d = c;
      c = b;
      b = a;
      a = (one + other) | 0;
    }
    const mixed = [a, b, c, d, e, f, g, h];
    for (let index = 0; index < mixed.length; index += 1) {
      state[index] = ((state[index] as number) + (mixed[index] as number)) | 0;
    }
  }
}

type Eight = [number, number, number, number, number, number, number, number];
