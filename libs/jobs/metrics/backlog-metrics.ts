import type { AccountTables } from '#platform/database/database.js';
import type { Reads } from '#platform/database/reads.js';
import type { Metrics } from '#platform/metrics/metrics.js';
import { withScrapeTimeout } from '#platform/metrics/scrape-timeout.js';
import { isMail, type OutboxTopic, topicQueues } from '../outbox.js';

interface SettlingRow {
  readonly wagers: number;
  /** How long the oldest wager has waited; null when there is none. */
  readonly seconds: number | null;
}

interface TopicRow {
  readonly topic: string;
  readonly waiting: number;
  /** Of a mail: ended. Of ledger work: stuck, and tried on. */
  readonly failed: number;
  /** How long the oldest entry that is still tried has waited; null when there is none. */
  readonly seconds: number | null;
}

interface Backlog {
  readonly settling: SettlingRow;
  readonly outbox: readonly TopicRow[];
}

/** Reads partial indexes of undone work only, so finished work costs nothing. */
async function readBacklog(tables: AccountTables): Promise<Backlog> {
  const [settling] = await tables.$queryRaw<[SettlingRow]>`
    SELECT count(*)::int AS wagers, extract(epoch FROM now() - min(settling_since))::float8 AS seconds
      FROM wagers WHERE settling_since IS NOT NULL`;
  const outbox = await tables.$queryRaw<TopicRow[]>`
    SELECT topic, sum(waiting)::int AS waiting, sum(failed)::int AS failed,
           extract(epoch FROM now() - min(oldest))::float8 AS seconds
      FROM (SELECT topic, count(*) AS waiting, 0 AS failed, min(created_at) AS oldest
              FROM outbox WHERE done_at IS NULL AND failed_at IS NULL GROUP BY topic
             UNION ALL
            SELECT topic, 0, count(*), min(created_at) FILTER (WHERE topic NOT LIKE '%-mail')
              FROM outbox WHERE done_at IS NULL AND failed_at IS NOT NULL GROUP BY topic) parts
     GROUP BY topic`;
  return { settling, outbox };
}

const oldest = (ages: readonly (number | null)[]): number | null =>
  ages.reduce((longest, age) => (age === null ? longest : Math.max(longest ?? 0, age)), null);

/** Of the tables of all accounts. */
function sumOf(parts: readonly Backlog[]): Backlog {
  const rows = parts.flatMap(({ outbox }) => outbox);
  return {
    settling: {
      wagers: parts.reduce((sum, { settling }) => sum + settling.wagers, 0),
      seconds: oldest(parts.map(({ settling }) => settling.seconds)),
    },
    outbox: [...new Set(rows.map(({ topic }) => topic))].map((topic) => {
      const own = rows.filter((row) => row.topic === topic);
      return {
        topic,
        waiting: own.reduce((sum, { waiting }) => sum + waiting, 0),
        failed: own.reduce((sum, { failed }) => sum + failed, 0),
        seconds: oldest(own.map(({ seconds }) => seconds)),
      };
    }),
  };
}

/** The undone work, read from PostgreSQL at each scrape. While PostgreSQL is away the gauges are absent. */
export function addBacklogMetrics({ gauge, beforeScrape }: Metrics, reads: Pick<Reads, 'run'>): void {
  const databaseUp = gauge({ name: 'ledger_database_up', help: '1: PostgreSQL answered this scrape; 0: it did not' });
  const settlingWagers = gauge({
    name: 'ledger_settling_wagers',
    help: 'Decided wagers whose bets are not all settled yet',
  });
  const settlementLag = gauge({
    name: 'ledger_settlement_lag_seconds',
    help: 'For how long the oldest of them has been waiting; 0 when there is none',
  });
  const outboxEntries = gauge({
    name: 'ledger_outbox_entries',
    help: 'Entries of the outbox that are not done: waiting, or failed for good (mails)',
    labelNames: ['topic', 'state'],
  });
  const stuckEntries = gauge({
    name: 'ledger_outbox_stuck_entries',
    help: 'Ledger work in the outbox that failed ten times in a row, and is tried on every minute',
    labelNames: ['topic'],
  });
  const outboxAge = gauge({
    name: 'ledger_outbox_age_seconds',
    help: 'For how long the oldest waiting entry of a topic has been there; 0 when there is none',
    labelNames: ['topic'],
  });

  function removeAll(): void {
    settlingWagers.remove();
    settlementLag.remove();
    outboxEntries.reset();
    stuckEntries.reset();
    outboxAge.reset();
  }

  beforeScrape(async () => {
    const backlog = await withScrapeTimeout(() =>
      reads.run(async (database) => sumOf(await database.inAll(readBacklog))),
    );
    databaseUp.set(backlog === undefined ? 0 : 1);
    if (backlog === undefined) return removeAll();
    settlingWagers.set(backlog.settling.wagers);
    settlementLag.set(backlog.settling.seconds ?? 0);
    for (const topic of Object.keys(topicQueues) as OutboxTopic[]) {
      const { waiting = 0, failed = 0, seconds } = backlog.outbox.find((found) => found.topic === topic) ?? {};
      const stuck = isMail(topic) ? 0 : failed;
      outboxEntries.set({ topic, state: 'waiting' }, waiting + stuck);
      outboxEntries.set({ topic, state: 'failed' }, failed - stuck);
      if (!isMail(topic)) stuckEntries.set({ topic }, stuck);
      outboxAge.set({ topic }, seconds ?? 0);
    }
  });
}
