import { describe, expect, it } from '@jest/globals';
import type { History, SingleStep, Step } from './history.js';
import { leaveOut, shrink } from './shrink.js';

describe('leaving out', () => {
  it('returns the items that fail together, in their order', () => {
    const numbers = Array.from({ length: 50 }, (_, index) => index);
    const fails = (some: readonly number[]) => [7, 8, 41].every((number) => some.includes(number));
    expect(leaveOut(numbers, fails)).toEqual([7, 8, 41]);
  });

  it('returns no item when none is needed, and all when all are needed', () => {
    const numbers = [1, 2, 3, 4, 5];
    expect(leaveOut(numbers, () => true)).toEqual([]);
    expect(leaveOut(numbers, ({ length }) => length === 5)).toEqual(numbers);
  });

  it('finds six of sixty items without trying all subsets', () => {
    const numbers = Array.from({ length: 60 }, (_, index) => index);
    let tries = 0;
    const left = leaveOut(numbers, (some) => {
      tries += 1;
      return some.filter((number) => number % 10 === 3).length === 6;
    });
    expect(left).toEqual([3, 13, 23, 33, 43, 53]);
    expect(tries).toBeLessThan(500);
  });
});

const fund = (user: number, amount: number): SingleStep => ({ do: 'fund', who: { user, by: 'reference' }, amount });
const historyOf = (...steps: Step[]): History => ({
  account: {
    allowNegativeBalance: true,
    decimals: null,
    users: [
      { start: 7, preference: true },
      { start: 9, preference: null },
    ],
  },
  steps,
});

describe('shrinking', () => {
  it('simplifies values too, also those of the account', () => {
    const fails = ({ steps }: History) => steps.some((step) => step.do === 'fund' && step.amount > 2_000_000);
    expect(shrink(historyOf(fund(3, 5), fund(2, 12_345_678)), fails)).toEqual({
      account: { allowNegativeBalance: false, decimals: null, users: [{ start: 100_000_000, preference: null }] },
      steps: [{ do: 'fund', who: { user: 0, by: 'id' }, amount: 3_000_000 }],
    });
  });

  it('leaves out steps of a batch, and replaces a batch by its only step', () => {
    const history = historyOf({ do: 'batch', steps: [fund(1, 5), fund(2, 77)], isIdRepeated: false });
    const flat = ({ steps }: History) => steps.flatMap((step) => (step.do === 'batch' ? step.steps : [step]));
    const fails = (some: History) => flat(some).some((step) => step.do === 'fund' && step.amount === 77);
    expect(shrink(history, fails).steps).toEqual([{ do: 'fund', who: { user: 0, by: 'id' }, amount: 77 }]);
  });

  it('does not change a value that matters', () => {
    const fails = ({ steps }: History) => steps.some((step) => step.do === 'fund' && step.who.user === 2);
    expect(shrink(historyOf(fund(2, 5)), fails).steps).toMatchObject([{ who: { user: 2 } }]);
  });
});
