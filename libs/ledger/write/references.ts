import { randomBytes } from 'node:crypto';

const RANDOM_BYTES = 6;
const TIME_DIGITS = 12;
const HEXADECIMAL = 16;

/**
 * New references of transactions: the time in milliseconds, then random digits. References of one time stand side by side
 * in their unique index, so that an insert finds its page in memory.
 */
export function newReferences(count: number): string[] {
  if (count === 0) return [];
  const time = Date.now().toString(HEXADECIMAL).padStart(TIME_DIGITS, '0');
  // Random bytes cost less drawn for all at once.
  const drawn = randomBytes(RANDOM_BYTES * count).toString('hex');
  const digits = RANDOM_BYTES * 2;
  return Array.from({ length: count }, (_, index) => `TX_${time}${drawn.slice(index * digits, (index + 1) * digits)}`);
}
