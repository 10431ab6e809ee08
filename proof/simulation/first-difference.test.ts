import { describe, expect, it } from '@jest/globals';
import { firstDifference } from './first-difference.js';

describe('the first difference', () => {
  const picture = (balance: bigint) => ({
    users: [
      { id: 1n, balance: 5n },
      { id: 2n, balance },
    ],
    trails: ['made'],
  });

  it('is null for equal values', () => expect(firstDifference(picture(7n), picture(7n))).toBeNull());

  it('is named by its place, with ids instead of indexes where items have them', () => {
    const text = 'users.2.balance: the core has 7, the second ledger 8';
    expect(firstDifference(picture(7n), picture(8n))).toBe(text);
  });

  it.each([
    [{ answer: 1n }, { isDone: false }, 'answer: the core has 1, the second ledger nothing'],
    [{}, { text: 'no' }, 'text: the core has nothing, the second ledger "no"'],
    [[1n], [1n, { id: 102n }], '102: the core has nothing, the second ledger {"id":102}'],
    [[1n, 2n], [1n], '1: the core has 2, the second ledger nothing'],
    [null, { id: 1n }, ': the core has null, the second ledger {"id":1}'],
    [0n, 0, ': the core has 0, the second ledger 0'],
  ])('is found between %p and %p', (core, second, text) => expect(firstDifference(core, second)).toBe(text));

  it('of records is led by the fields of the second ledger, each of which the core has', () => {
    const differenceTo = (core: object) => firstDifference([core], [{ id: 1n, odds: 2n }], 'of the second ledger');
    expect(differenceTo({ id: 1n, odds: 2n, more: 3n })).toBeNull();
    expect(differenceTo({ id: 1n, odds: 3n })).toBe('1.odds: the core has 3, the second ledger 2');
    expect(differenceTo({ id: 1n })).toBe('1.odds: the core has nothing, the second ledger 2');
    expect(firstDifference([], [{ id: 1n }], 'of the second ledger')).toMatch('the core has nothing');
    expect(firstDifference([{ id: 1n }], [], 'of the second ledger')).toMatch('the second ledger nothing');
  });
});
