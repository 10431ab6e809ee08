import { beforeAll, describe, expect, it } from '@jest/globals';
import type { OddsMicros } from '#core/money.js';
import { MoreOffers, type OfferPlace } from '#core/offers.js';
import { Prisma } from '#platform/database/database.js';
import { useLedgerDatabase } from '#testing/ledger-fixture.js';
import { seedOffers } from '#testing/seeded-offers.js';
import { betOfText } from './load-group.js';
import { sliceQuery } from './more-offers.js';

const fixture = useLedgerDatabase();
const SLICE = 500;
const SLICES = 20;
const NOW = BigInt(Date.now()) * 1_000n;

beforeAll(async () => {
  const { database } = fixture.environment;
  const seed = { accountId: 1, wagerReference: 'deep', userReference: 'bob', amount: 1 };
  await seedOffers(database, { ...seed, count: SLICE * (SLICES + 5) });
  await database.query('VACUUM ANALYZE bets');
});

const scopes = {
  'in matching order': { kind: 'acceptableTo', acceptingUserId: 1n, requestingUserId: null },
  'by age': { kind: 'ownOf', requestingUserId: 2n, minimumOdds: null, maximumOdds: null },
} as const;

/** The buffers that reading the slice behind an offer takes, and its rows. */
async function read(scope: (typeof scopes)[keyof typeof scopes], after: OfferPlace | null) {
  const maximumOdds = scope.kind === 'ownOf' ? null : (10_000_000n as OddsMicros);
  const wanted = new MoreOffers({ scope, wagerIds: [1n], maximumOdds, after, now: NOW });
  const query = sliceQuery({ accountId: 1n, wanted, pendingCancels: [[]], limit: SLICE });
  const rows = await fixture.database.of(1n).$queryRaw<{ bet: string }[]>(query);
  const plans = await fixture.database
    .of(1n)
    .$queryRaw<{ 'QUERY PLAN': { Plan: Record<string, number> }[] }[]>(
      Prisma.sql`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${query}`,
    );
  const plan = plans[0]?.['QUERY PLAN'][0]?.Plan ?? {};
  const last = rows.at(-1);
  return {
    last: last === undefined ? null : betOfText(last.bet),
    count: rows.length,
    buffers: Number(plan['Shared Hit Blocks']),
  };
}

describe('a further slice of offers', () => {
  it.each(Object.entries(scopes))(
    '%s is found in the index: the last reads no more than the first',
    async (_, scope) => {
      const first = await read(scope, null);
      let { last } = first;
      let latest = first;
      for (let slice = 1; slice < SLICES; slice += 1) {
        latest = await read(scope, last);
        ({ last } = latest);
      }
      expect([first.count, latest.count]).toEqual([SLICE, SLICE]);
      expect(latest.buffers).toBeLessThan(first.buffers * 1.5);
    },
  );

  it('of an acceptance has what had not ended at the time of its group, whatever the clock says since', async () => {
    const firstAt = async (now: bigint) => {
      const wanted = new MoreOffers({
        scope: scopes['in matching order'],
        wagerIds: [1n],
        maximumOdds: null,
        after: null,
        now,
      });
      const query = sliceQuery({ accountId: 1n, wanted, pendingCancels: [[]], limit: 1 });
      const [first] = await fixture.database.of(1n).$queryRaw<{ bet: string }[]>(query);
      return betOfText(first?.bet ?? '').id;
    };
    const first = await firstAt(NOW);
    await fixture.query(
      `UPDATE bets SET expires_at = 'epoch'::timestamptz + ${NOW} * interval '1 microsecond' WHERE id = ${first}`,
    );
    expect(await firstAt(NOW - 1n)).toBe(first);
    expect(await firstAt(NOW)).not.toBe(first);
  });
});
