import { Gauge } from 'prom-client';
import type { Database } from '#platform/database/database.js';
import type { Metrics } from '#platform/metrics/metrics.js';
import { withinPatience } from '#platform/metrics/within.js';
import { topicQueues } from '../outbox.js';

interface Settling {
  readonly wagers: number;
  /** Of the wager that waits longest; null when none does. */
  readonly seconds: number | null;
}

interface OutboxPart {
  readonly topic: string;
  readonly waiting: number;
  readonly failed: number;
  /** Of the waiting entry that is there longest. */
  readonly seconds: number | null;
}

interface Backlog {
  readonly settling: Settling;
  readonly outbox: readonly OutboxPart[];
}

/** Partial indexes hold just what is not done yet: however much is done, it is not looked at. */
async function readBacklog(database: Database): Promise<Backlog> {
  const [settling] = await database.$queryRaw<[Settling]>`
    SELECT count(*)::int AS wagers, extract(epoch FROM now() - min(settling_since))::float8 AS seconds
      FROM wagers WHERE settling_since IS NOT NULL`;
  const outbox = await database.$queryRaw<OutboxPart[]>`
    SELECT topic, sum(waiting)::int AS waiting, sum(failed)::int AS failed,
           extract(epoch FROM now() - min(oldest))::float8 AS seconds
      FROM (SELECT topic, count(*) AS waiting, 0 AS failed, min(created_at) AS oldest
              FROM outbox WHERE done_at IS NULL AND failed_at IS NULL GROUP BY topic
             UNION ALL
            SELECT topic, 0, count(*), NULL
              FROM outbox WHERE done_at IS NULL AND failed_at IS NOT NULL GROUP BY topic) parts
     GROUP BY topic`;
  return { settling, outbox };
}

/** What PostgreSQL says is still to do. Asked when somebody looks; with PostgreSQL away nothing is said of it. */
export function addBacklogMetrics({ registry, beforeScrape }: Metrics, database: Database): void {
  const registers = [registry];
  const databaseUp = new Gauge({
    name: 'ledger_database_up',
    help: '1: PostgreSQL answered this scrape; 0: it did not',
    registers,
  });
  const settlingWagers = new Gauge({
    name: 'ledger_settling_wagers',
    help: 'Decided wagers whose bets are not all settled yet',
    registers,
  });
  const settlementLag = new Gauge({
    name: 'ledger_settlement_lag_seconds',
    help: 'For how long the oldest of them has been waiting; 0 when there is none',
    registers,
  });
  const outboxEntries = new Gauge({
    name: 'ledger_outbox_entries',
    help: 'Entries of the outbox that are not done: waiting, or given up',
    labelNames: ['topic', 'state'],
    registers,
  });
  const outboxAge = new Gauge({
    name: 'ledger_outbox_age_seconds',
    help: 'For how long the oldest waiting entry of a topic has been there; 0 when there is none',
    labelNames: ['topic'],
    registers,
  });

  function showNothing(): void {
    settlingWagers.remove();
    settlementLag.remove();
    outboxEntries.reset();
    outboxAge.reset();
  }

  beforeScrape(async () => {
    const backlog = await withinPatience(() => readBacklog(database));
    databaseUp.set(backlog === undefined ? 0 : 1);
    if (backlog === undefined) return showNothing();
    settlingWagers.set(backlog.settling.wagers);
    settlementLag.set(backlog.settling.seconds ?? 0);
    for (const topic of Object.keys(topicQueues)) {
      const part = backlog.outbox.find((found) => found.topic === topic);
      outboxEntries.set({ topic, state: 'waiting' }, part?.waiting ?? 0);
      outboxEntries.set({ topic, state: 'failed' }, part?.failed ?? 0);
      outboxAge.set({ topic }, part?.seconds ?? 0);
    }
  });
}
