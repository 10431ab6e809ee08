import { createHmac } from 'node:crypto';
import bcrypt from 'bcrypt';

/** bcrypt reads no more of a password. */
const BCRYPT_BYTES = 72;

export type HashingTask =
  | { readonly kind: 'hash'; readonly password: string; readonly cost: number }
  | { readonly kind: 'compare'; readonly password: string; readonly hash: string | undefined; readonly cost: number };

const HASH = /^\$2[aby]\$(\d\d)\$[./A-Za-z0-9]{53}$/;

/** The cost of a hash; undefined for a text that is no hash of bcrypt. */
export function costOfHash(hash: string): number | undefined {
  const cost = HASH.exec(hash)?.[1];
  return cost === undefined ? undefined : Number(cost);
}

/** The hash of no password: comparing with it takes as long as with any other of this cost. */
const placeholder = (cost: number) => `$2b$${String(cost).padStart(2, '0')}$${'.'.repeat(53)}`;

/** A longer password becomes a digest that bcrypt reads whole. The key tells the digest from those of other programs. */
function whatBcryptReads(password: string): string {
  if (Buffer.byteLength(password) <= BCRYPT_BYTES) return password;
  return createHmac('sha384', 'betting-ledger long password').update(password).digest('base64');
}

function compare(password: string, hash: string | undefined, cost: number): boolean {
  const storedCost = hash === undefined ? undefined : costOfHash(hash);
  if (hash === undefined || storedCost === undefined) {
    bcrypt.compareSync(password, placeholder(cost));
    return false;
  }
  if (bcrypt.compareSync(password, hash)) return true;
  // Each cost takes twice the time of the one before, so these add up to the time that an unknown account takes.
  for (let missing = storedCost; missing < cost; missing += 1) bcrypt.compareSync(password, placeholder(missing));
  return false;
}

/** Takes a processor for as long as it runs: the thread of the hashing queue calls it. */
export function hashNow(task: HashingTask): string | boolean {
  const password = whatBcryptReads(task.password);
  return task.kind === 'hash' ? bcrypt.hashSync(password, task.cost) : compare(password, task.hash, task.cost);
}
