import { expect, it } from '@jest/globals';
import { findRepeatedNames } from './exported-names.js';

const found = (sources: Record<string, string>) => findRepeatedNames(new Map(Object.entries(sources)));

it('finds a name that two modules export, whatever it is', () => {
  expect(
    found({
      'libs/b/bet.ts': 'export interface Bet {}\nexport const one = 1;\n',
      'apps/a/bet.ts': 'export async function Bet() {}\nexport class Two {}\n',
    }),
  ).toEqual(['Bet is exported from apps/a/bet.ts and libs/b/bet.ts']);
});

it('leaves alone an overload, tests, what is not exported, and the page of the console', () => {
  const one = 'export function one(a: string): void;\nexport function one(a: number): void;\n';
  expect(
    found({
      'libs/a/one.ts': one,
      'libs/a/one.test.ts': one,
      'apps/api/test/one.ts': one,
      'libs/b/one.ts': 'const one = 1;\n',
      'apps/console/ui/one.ts': one,
      'proof/one.ts': one,
    }),
  ).toEqual([]);
});
