import { describe, expect, it } from '@jest/globals';
import { AccountQueues, type TablesOfAccount } from './account-queues.js';

const queuesOf = (...items: [account: bigint, count: number, weight?: number][]) => queuesIn(undefined, items);

const queuesIn = (
  tablesOf: TablesOfAccount | undefined,
  items: readonly [account: bigint, count: number, weight?: number][],
) => {
  const queues = new AccountQueues<{ accountId: bigint; weight: number; index: number }>(tablesOf);
  for (const [accountId, count, weight = 1] of items) {
    for (let index = 0; index < count; index += 1) queues.add({ accountId, weight, index });
  }
  return queues;
};

const countsOf = (items: readonly { accountId: bigint }[]) => {
  const counts = new Map<bigint, number>();
  for (const { accountId } of items) counts.set(accountId, (counts.get(accountId) ?? 0) + 1);
  return Object.fromEntries(counts);
};

describe('groups from the queues of several accounts', () => {
  it('give each account its share, however much one has waiting', () => {
    const queues = queuesOf([1n, 1_000], [2n, 100], [3n, 100]);
    expect(countsOf(queues.take(150))).toEqual({ 1: 50, 2: 50, 3: 50 });
  });

  it('give the share that an account leaves to the others', () => {
    const queues = queuesOf([1n, 1_000], [2n, 10]);
    expect(countsOf(queues.take(200))).toEqual({ 1: 190, 2: 10 });
    expect(countsOf(queues.take(200))).toEqual({ 1: 200 });
    expect([queues.count, queues.weight]).toEqual([610, 610]);
  });

  it('hold accounts of the same tables, and the tables take turns', () => {
    const isOdd = (accountId: bigint) => accountId % 2n;
    const items = [1n, 2n, 3n, 4n].map((accountId): [bigint, number] => [accountId, 20]);
    const queues = queuesIn(isOdd, items);
    expect(countsOf(queues.take(20))).toEqual({ 1: 10, 3: 10 });
    expect(countsOf(queues.take(20))).toEqual({ 2: 10, 4: 10 });
    expect(countsOf(queues.take(100))).toEqual({ 1: 10, 3: 10 });
  });

  it('take the items of an account in their order', () => {
    const queues = queuesOf([1n, 5]);
    expect([...queues.take(2), ...queues.take(2), ...queues.take(2)].map(({ index }) => index)).toEqual([
      0, 1, 2, 3, 4,
    ]);
  });

  it('weigh operations: batches of 20 take as much as 20 single ones', () => {
    const queues = queuesOf([1n, 128, 20], [2n, 100]);
    expect(countsOf(queues.take(200))).toEqual({ 1: 5, 2: 100 });
  });

  it('take an item that is heavier than a group when its turn comes, and never leave it behind', () => {
    const queues = queuesOf([1n, 2, 400], [2n, 1_000]);
    const served = Array.from({ length: 4 }, () => countsOf(queues.take(200)));
    expect(served.filter((counts) => counts[1] === 1)).toHaveLength(2);
  });

  it('tell how much is served before a new item of an account', () => {
    const queues = queuesOf([1n, 1_000], [2n, 10]);
    expect(queues.weightBefore(3n)).toBe(2);
    expect(queues.weightBefore(2n)).toBe(21);
    expect(queues.weightBefore(1n)).toBe(1_010);
  });

  it('lose the items that are removed', () => {
    const queues = queuesOf([1n, 10], [2n, 10]);
    expect(queues.remove(({ index }) => index % 2 === 0)).toHaveLength(10);
    expect([queues.count, queues.weight]).toEqual([10, 10]);
    expect(queues.take(100).every(({ index }) => index % 2 === 1)).toBe(true);
  });
});
