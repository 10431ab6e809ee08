import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isDecided, movementOf } from '#core/impact.js';
import { AMOUNT_MAX_MICROS, asMicros, ODDS_MAX_MICROS, ODDS_ONE, type OddsMicros, unitOf } from '#core/money.js';
import { type DecidedOutcome, outcomes } from '#core/records.js';
import { withTestEnvironment } from '#testing/with-environment.js';
import { movementSql } from './facts.js';

const environment = withTestEnvironment();

type Terms = readonly [outcome: DecidedOutcome, odds: bigint, amount: bigint, decimals: number | null];

const decided = outcomes.filter(isDecided);

/** Includes small values, which nearly every division has to round. */
const odds = fc.oneof(
  fc.bigInt(ODDS_ONE, ODDS_ONE + 20n),
  fc.bigInt(ODDS_ONE, 4n * ODDS_ONE),
  fc.bigInt(ODDS_ONE, ODDS_MAX_MICROS),
);
const amount = fc.oneof(
  fc.bigInt(1n, 20n),
  fc.bigInt(1n, 4_000_000n).map((value) => value * 500_000n),
  fc.bigInt(1n, AMOUNT_MAX_MICROS),
);
const decimals = fc.constantFrom(null, 0, 1, 2, 3, 4, 5, 6);
const terms = fc.tuple(fc.constantFrom(...decided), odds, amount, decimals);

async function movementsInSql(all: readonly Terms[]): Promise<unknown[]> {
  const rows = await environment.database.query(
    `SELECT (${movementSql('b.settled_outcome')})::text AS moved
       FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::int[])
            WITH ORDINALITY AS b (settled_outcome, effective_odds, effective_amount, decimals, place)
       CROSS JOIN LATERAL (SELECT b.decimals) a ORDER BY place`,
    [0, 1, 2, 3].map((column) => all.map((terms) => terms[column])),
  );
  return rows.map(({ moved }) => moved);
}

const movementsInCore = (all: readonly Terms[]) =>
  all.map(([outcome, value, stake, decimals]) => {
    const unit = decimals === null ? null : unitOf(decimals);
    return String(movementOf(outcome, { odds: value as OddsMicros, amount: asMicros(stake) }, unit));
  });

describe('the movement between the two sides of a bet', () => {
  it('is the same in the core and in the SQL of the audit', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(terms, { minLength: 100, maxLength: 200 }), async (all) => {
        expect(await movementsInSql(all)).toEqual(movementsInCore(all));
      }),
      { numRuns: 40 },
    );
  });

  it('is rounded once, halves away from zero or down to the decimals of the account, at any size', async () => {
    const all: Terms[] = [
      ['win', 1_500_000n, 1n, null],
      ['half-win', 1_500_000n, 1n, null],
      ['half-win', 1_500_000n, 3n, null],
      ['half-loss', 2_000_000n, 1n, null],
      ['half-loss', 2_000_000n, 3n, null],
      ['win', 1_000_001n, 499_999n, null],
      ['win', 1_499_999n, 1_000_000_000_001n, null],
      ['win', 1_000_000_000_000n, 1_000_000_000_000_000n, null],
      ['push', 3_000_000n, 7n, null],
      ['win', 1_999_999n, 50_000n, 2],
      ['half-loss', 2_000_000n, 50_000n, 2],
      ['half-win', 2_000_000n, 3n, 6],
      ['win', 1_000_000_000_000n, 1_000_000_000_000_000n, 0],
    ];
    const nearest = ['1', '0', '1', '-1', '-2', '0', '499999000000', '999999000000000000000', '0'];
    const expected = [...nearest, '40000', '-20000', '1', '999999000000000000000'];
    expect(movementsInCore(all)).toEqual(expected);
    expect(await movementsInSql(all)).toEqual(expected);
  });
});
