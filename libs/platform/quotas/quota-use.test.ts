import { beforeEach, describe, expect, it } from '@jest/globals';
import { Refusal } from '../errors/refusal.js';
import { type QuotaHolder, QuotaUse } from './quota-use.js';
import { type Quota, type QuotaName, quotaNames, quotas } from './quotas.js';

const NAME = 'long-polls';
/** Another network each. */
const alone = (accountId: number): QuotaHolder => ({ accountId: BigInt(accountId), registeredFrom: null });
const inNetwork = (accountId: number): QuotaHolder => ({ ...alone(accountId), registeredFrom: '192.0.2.0/24' });

let use: QuotaUse;
let refused: (readonly [QuotaName, bigint | undefined])[];

beforeEach(() => {
  refused = [];
  const small: Quota = { ...quotas[NAME], account: 3, network: 4, whole: 8, reserve: 3 };
  const table = { ...quotas, [NAME]: small };
  use = new QuotaUse((quota, accountId) => refused.push([quota, accountId]), table);
});

const take = (holder: QuotaHolder, count = 1) => Array.from({ length: count }, () => use.take(NAME, holder));
const isRefused = (holder: QuotaHolder): boolean => {
  try {
    use.take(NAME, holder)();
    return false;
  } catch (error) {
    if (error instanceof Refusal) return true;
    throw error;
  }
};

describe('a quota', () => {
  it('bounds what an account holds, until it gives some back', () => {
    const [release] = take(alone(1), 3);
    expect([isRefused(alone(1)), isRefused(alone(2))]).toEqual([true, false]);
    release?.();
    expect(isRefused(alone(1))).toBe(false);
  });

  it('bounds what the accounts of one network hold together', () => {
    take(inNetwork(1), 2);
    take(inNetwork(2), 2);
    expect([isRefused(inNetwork(1)), isRefused(inNetwork(3)), isRefused(alone(3))]).toEqual([true, true, false]);
  });

  it('keeps its reserve for accounts that hold nothing', () => {
    take(alone(1), 3);
    take(alone(2), 2);
    expect([isRefused(alone(1)), isRefused(alone(2))]).toEqual([true, true]);
    for (const accountId of [3, 4, 5]) take(alone(accountId));
    expect([isRefused(alone(3)), isRefused(alone(6))]).toEqual([true, true]);
  });

  it('keeps its reserve for accounts that hold little, where little is more than nothing', () => {
    const little: Quota = { ...quotas[NAME], account: 4, network: 8, whole: 8, reserve: 4, little: 1 };
    const withLittle = new QuotaUse(() => undefined, { ...quotas, [NAME]: little });
    for (let each = 0; each < 4; each += 1) withLittle.take(NAME, alone(1));
    withLittle.take(NAME, alone(2));
    withLittle.take(NAME, alone(2));
    expect(() => withLittle.take(NAME, alone(2))).toThrow(Refusal);
    withLittle.take(NAME, alone(3));
  });

  it('gets back once what is given back twice', () => {
    const [first] = take(alone(1), 3);
    first?.();
    first?.();
    take(alone(1));
    expect(isRefused(alone(1))).toBe(true);
  });

  it('tells of each refusal, and looks without taking', () => {
    use.assertRoom(NAME, alone(1));
    take(alone(1), 3);
    expect(() => use.assertRoom(NAME, alone(1))).toThrow('Too many requests wait for events');
    expect(isRefused(alone(1))).toBe(true);
    expect(refused).toEqual([
      [NAME, 1n],
      [NAME, 1n],
    ]);
  });

  it('is counted apart from the others', () => {
    take(alone(1), 3);
    expect(() => use.take('streams', alone(1))).not.toThrow();
  });

  it.each(quotaNames)('leaves room beside one account and one network: %s', (name) => {
    const { account, network, whole, reserve } = quotas[name];
    expect(account).toBeLessThan(network);
    expect(network).toBeLessThan(whole - reserve);
  });
});
