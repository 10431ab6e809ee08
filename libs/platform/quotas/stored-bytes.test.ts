import { expect, it } from '@jest/globals';
import { type QuotaHolder, QuotaUse } from './quota-use.js';
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
  const take = (owner: QuotaHolder, bytes = MIB) => {
    stored.assertRoom(owner, bytes, false);
    stored.add(owner, bytes);
  };
  const fill = (accountId: bigint) => {
    for (let bytes = 0; bytes < account; bytes += MIB) take(holder(accountId));
  };
  const refusal = expect.objectContaining({ code: 'rate-limited', retryAfterSeconds: 300 });
  fill(1n);
  expect(() => take(holder(1n))).toThrow(refusal);
  for (let each = 0; each < 10_000; each += 1) take(holder(1n), 1_024);
  // A key may store a large answer to a small request.
  expect(() => stored.assertRoom(holder(1n), 10, true)).toThrow(refusal);
  now += 30 * MINUTE_MS;
  for (let id = 2n; id <= BigInt(network / account); id += 1n) fill(id);
  expect(() => take(holder(99n))).toThrow(refusal);
  // It has stored nothing itself.
  stored.assertRoom(holder(99n), 10, true);
  take(holder(99n, '198.51.100.0/24'));
  expect(refused).toEqual([1n, 1n, 99n]);
  // A clock that is set back forgets nothing.
  now -= 10 * MINUTE_MS;
  expect(() => take(holder(1n))).toThrow(refusal);
  now += 41 * MINUTE_MS;
  fill(1n);
  expect(() => take(holder(2n))).toThrow(refusal);
  now += 65 * MINUTE_MS;
  fill(2n);
});
