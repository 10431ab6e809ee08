import { beforeAll, describe, expect, it } from '@jest/globals';
import { Prisma } from '#platform/database/database.js';
import { createMetrics } from '#platform/metrics/metrics.js';
import { useLedgerDatabase } from '#testing/ledger-fixture.js';
import { waitFor } from '#testing/wait-for.js';
import { type DuePage, dueQuery, findDueWagers, type PlacedWager, readClockLag, SHARE_OF_PAGE } from './clock.js';
import { addClockMetrics } from './ledger-metrics.js';

const ledger = useLedgerDatabase();
/** Far fewer than an account may have: what is read must not depend on them. */
const WAGERS = 10_000;
const BETS = 40_000;
/** Of tables and indexes together: a few levels of three indexes, and what is due. */
const MOST_BUFFERS = 30;

/** Most bets have no end, the others end later, or are over. */
const FILL = `
  INSERT INTO wagers (account_id, reference, closes_at, status, outcome)
    SELECT 1, 'w' || n, CASE WHEN n % 2 = 0 THEN now() + n * interval '1 minute' ELSE now() - interval '1 day' END,
           CASE WHEN n % 2 = 0 THEN 'open' ELSE 'closed' END, 'undecided' FROM generate_series(1, ${WAGERS}) n;
  INSERT INTO bets (account_id, wager_id, requesting_user_id, requesting_odds, requesting_amount, queue_place,
                    offer_status, expires_at)
    SELECT 1, 1 + n % ${WAGERS}, 1, 2000000, 1, n, CASE WHEN n % 4 = 1 THEN 'canceled' ELSE 'requesting' END,
           CASE n % 4 WHEN 0 THEN now() + n * interval '1 minute' WHEN 1 THEN now() - interval '1 day' END
      FROM generate_series(1, ${BETS}) n`;

interface Plan {
  readonly 'Node Type': string;
  readonly 'Index Name'?: string;
  readonly 'Shared Hit Blocks': number;
  readonly Plans?: readonly Plan[];
}

const LAG = /^ledger_clock_lag_seconds (\S+)$/m;

/** The first scrape that shows it: one that takes too long leaves it out. */
async function scrapedLag(): Promise<number> {
  const metrics = createMetrics();
  addClockMetrics(metrics, { run: (read) => read(ledger.database) });
  const shown = await waitFor(async () => LAG.exec(await metrics.scrape()) ?? undefined);
  metrics.close();
  return Number(shown[1]);
}

const OTHER = 9n;
const countOf = ({ wagers }: DuePage, account: bigint): number =>
  wagers.filter(({ accountId }) => accountId === account).length;

const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];

/** The plan that PostgreSQL itself chooses, run once before so that everything is in memory. */
async function explain(): Promise<Plan> {
  const query = Prisma.sql`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${dueQuery()}`;
  const read = () => ledger.database.of(1n).$queryRaw<{ 'QUERY PLAN': { Plan: Plan }[] }[]>(query);
  await read();
  const [row] = await read();
  return row?.['QUERY PLAN'][0]?.Plan as Plan;
}

beforeAll(async () => {
  await ledger.query(FILL);
  await ledger.environment.database.query('VACUUM ANALYZE bets');
  await ledger.environment.database.query('VACUUM ANALYZE wagers');
});

describe('the look for what is due', () => {
  it('reads a few pages of the indexes when nothing is, however much ends later', async () => {
    expect(await findDueWagers(ledger.database)).toEqual({ wagers: [], last: undefined });
    const plan = await explain();
    const nodes = nodesOf(plan);
    const indexes = nodes.flatMap((node) => node['Index Name'] ?? []);
    // Those that begin with the account serve as well, where there are few accounts.
    expect(indexes).toContainEqual(expect.stringMatching(/^wagers_closing/));
    expect(indexes).toContainEqual(expect.stringMatching(/^bets_expiring/));
    expect(nodes.map((node) => node['Node Type'])).not.toContain('Seq Scan');
    expect(plan['Shared Hit Blocks']).toBeLessThan(MOST_BUFFERS);
    expect(await scrapedLag()).toBe(0);
  });

  it('reads only what is due beside it, and the first to end comes first', async () => {
    await ledger.query(`
      UPDATE wagers SET closes_at = now() - interval '1 second' WHERE id = 2;
      UPDATE bets SET expires_at = now() - interval '2 seconds' WHERE id = 4`);
    const { wagers } = await findDueWagers(ledger.database);
    expect(wagers).toMatchObject([
      { accountId: 1n, wagerId: 5n },
      { accountId: 1n, wagerId: 2n },
    ]);
    expect((await explain())['Shared Hit Blocks']).toBeLessThan(MOST_BUFFERS);
  });

  it('tells a scrape for how long the first has been due, unless its wager is decided', async () => {
    await ledger.query(`UPDATE bets SET expires_at = now() - interval '100 seconds' WHERE id = 4`);
    const lag = await scrapedLag();
    expect(lag).toBeGreaterThanOrEqual(100);
    expect(lag).toBeLessThan(130);
    expect(await readClockLag(ledger.database)).toBeGreaterThanOrEqual(lag);
    await ledger.query(`UPDATE wagers SET outcome = 'win' WHERE id = 5`);
    expect(await scrapedLag()).toBeLessThan(100);
  });

  it('gives an account with many its share of a page, and goes on behind the last wager, whether that could end or not', async () => {
    await ledger.query(`
      UPDATE wagers SET closes_at = now() - interval '1 hour' + id * interval '1 second'
       WHERE status = 'open' AND id BETWEEN 1001 AND 1000 + ${5 * SHARE_OF_PAGE};
      INSERT INTO accounts (id, name, email) VALUES (${OTHER}, 'Other', 'other@example.com');
      INSERT INTO wagers (account_id, reference, closes_at, status, outcome)
        VALUES (${OTHER}, 'late', now() - interval '1 second', 'open', 'undecided')`);
    const first = await findDueWagers(ledger.database);
    expect(countOf(first, 1n)).toBe(SHARE_OF_PAGE);
    expect(countOf(first, OTHER)).toBe(1);
    const second = await findDueWagers(ledger.database, first.last);
    expect(countOf(second, 1n)).toBe(SHARE_OF_PAGE);
    expect(first.wagers).not.toContainEqual(second.wagers[0]);
  });

  it('passes none of an account behind its share, though others are due later and its first ones are decided', async () => {
    await ledger.query(`
      INSERT INTO wagers (account_id, reference, outcome) SELECT 1, 'decided' || n, 'win' FROM generate_series(1, ${SHARE_OF_PAGE}) n;
      INSERT INTO bets (account_id, wager_id, requesting_user_id, requesting_odds, requesting_amount, queue_place, offer_status, expires_at)
        SELECT 1, id, 1, 2000000, 1, 1, 'requesting', now() - interval '2 hours' FROM wagers WHERE reference LIKE 'decided%'`);
    const due = await ledger.query(
      `SELECT id FROM wagers WHERE closes_at <= now() AND status = 'open' AND outcome = 'undecided'`,
    );
    const found = new Set<bigint>();
    for (let last: PlacedWager | undefined, isFirst = true; isFirst || last !== undefined; isFirst = false) {
      const page = await findDueWagers(ledger.database, last);
      if (isFirst) expect(countOf(page, 1n)).toBe(0);
      for (const { wagerId } of page.wagers) found.add(wagerId);
      last = page.last;
    }
    expect(found).toEqual(new Set(due.map(({ id }) => BigInt(String(id)))));
  });

  it('tells a scrape nothing while PostgreSQL is away', async () => {
    const metrics = createMetrics();
    addClockMetrics(metrics, { run: () => Promise.reject(new Error('away')) });
    expect(await metrics.scrape()).not.toMatch(LAG);
    metrics.close();
  });
});
