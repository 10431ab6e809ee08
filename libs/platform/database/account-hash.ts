// PostgreSQL's `hashint8`, by which Citus knows the shard of an account. Computed here, because the API needs the shard of
// every task. PostgreSQL never changes it: stored hash indexes and partitions depend on it.

const LOW_BITS = 32n;
const SEED = 0x9e3779b9 + 4 + 3_923_095;

const rotate = (value: number, bits: number): number => (value << bits) | (value >>> (32 - bits));

/** From -2^31 to 2^31 - 1, as `pg_dist_shard` has its limits. */
export function accountHash(accountId: bigint): number {
  const low = Number(BigInt.asIntN(32, accountId));
  const high = Number(BigInt.asIntN(32, accountId >> LOW_BITS));
  let a = SEED + (low ^ (accountId >= 0n ? high : ~high));
  let b = SEED | 0;
  let c = SEED | 0;
  a |= 0;
  c = ((c ^ b) - rotate(b, 14)) | 0;
  a = ((a ^ c) - rotate(c, 11)) | 0;
  b = ((b ^ a) - rotate(a, 25)) | 0;
  c = ((c ^ b) - rotate(b, 16)) | 0;
  a = ((a ^ c) - rotate(c, 4)) | 0;
  b = ((b ^ a) - rotate(a, 14)) | 0;
  c = ((c ^ b) - rotate(b, 24)) | 0;
  return c;
}
