import { expect, it } from '@jest/globals';
import { QuotaUse } from './quota-use.js';
import { quotas } from './quotas.js';
import { StoredBytes } from './stored-bytes.js';

const MINUTE_MS = 60_000;
const MIB = 1_024 * 1_024;
const { account, network } = quotas['stored-bytes'];

it('stored bytes of an account and of a network are bounded within an hour, small requests are not counted', () => {
  let now = 1_000_000_000_000;
  const refused: (bigint | undefined)[] = [];
  const stored = new StoredBytes(new QuotaUse((_, accountId) => refused.push(accountId)), () => now);
  const holder = (accountId: bigint, registeredFrom: string | null = '192.0.2.0/24') => ({ accountId, registeredFrom });
  const fill = (accountId: bigint) => {
    for (let bytes = 0; bytes < account; bytes += MIB) stored.take(holder(accountId), MIB);
  };
  const refusal = expect.objectContaining({ code: 'rate-limited', retryAfterSeconds: 300 });
  fill(1n);
  expect(() => stored.take(holder(1n), MIB)).toThrow(refusal);
  for (let each = 0; each < 10_000; each += 1) stored.take(holder(1n), 2_048);
  now += 30 * MINUTE_MS;
  for (let id = 2n; id <= BigInt(network / account); id += 1n) fill(id);
  expect(() => stored.take(holder(99n), MIB)).toThrow(refusal);
  stored.take(holder(99n, '198.51.100.0/24'), MIB);
  expect(refused).toEqual([1n, 99n]);
  // A clock that is set back forgets nothing.
  now -= 10 * MINUTE_MS;
  expect(() => stored.take(holder(1n), MIB)).toThrow(refusal);
  now += 41 * MINUTE_MS;
  fill(1n);
  expect(() => stored.take(holder(2n), MIB)).toThrow(refusal);
  now += 65 * MINUTE_MS;
  fill(2n);
});
