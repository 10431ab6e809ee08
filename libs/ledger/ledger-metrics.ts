import type { Tx } from '#platform/database/database.js';
import { CommitUnknown } from '#platform/database/errors.js';
import type { Reads } from '#platform/database/reads.js';
import { KnownRefusal } from '#platform/errors/refusal.js';
import type { Metrics } from '#platform/metrics/metrics.js';
import { withScrapeTimeout } from '#platform/metrics/scrape-timeout.js';
import { readClockLag } from './clock.js';
import type { Lanes } from './lanes.js';
import type { Task } from './task.js';
import { TakenBack, type UnitOfWork } from './unit-of-work.js';

/** `unknown`: PostgreSQL did not confirm the commit. */
const transactionEnds = ['committed', 'taken-back', 'failed', 'unknown'] as const;

interface EndedTransaction {
  readonly operations: number;
  readonly ms: number;
  readonly end: (typeof transactionEnds)[number];
}

/** Observes the ledger for metrics: one call per transaction, not per operation. */
export interface LedgerObserver {
  transactionEnded(transaction: EndedTransaction): void;
  paymentsDiffered(): void;
}

const operationsOf = (tasks: readonly Task[]) => tasks.reduce((sum, { needs }) => sum + needs.length, 0);

/** The same unit of work, observed. */
export function observeWork(work: UnitOfWork, observer: Pick<LedgerObserver, 'transactionEnded'>): UnitOfWork {
  async function observed<Result>(tasks: () => readonly Task[], run: () => Promise<Result>): Promise<Result> {
    const startedAt = performance.now();
    let end: EndedTransaction['end'] = 'failed';
    try {
      const result = await run();
      end = 'committed';
      return result;
    } catch (error) {
      if (error instanceof CommitUnknown) end = 'unknown';
      if (error instanceof TakenBack || error instanceof KnownRefusal) end = 'taken-back';
      throw error;
    } finally {
      observer.transactionEnded({ operations: operationsOf(tasks()), ms: performance.now() - startedAt, end });
    }
  }
  return {
    run: (tasks) =>
      observed(
        () => tasks,
        () => work.run(tasks),
      ),
    runWaiting: (tasks) =>
      observed(
        () => tasks,
        () => work.runWaiting(tasks),
      ),
    runAfter: (accountId, prepare) => {
      let tasks: readonly Task[] = [];
      const noted = async (tx: Tx) => {
        const prepared = await prepare(tx);
        tasks = prepared.tasks;
        return prepared;
      };
      return observed(
        () => tasks,
        () => work.runAfter(accountId, noted),
      );
    },
  };
}

const GROUP_BUCKETS = [1, 2, 5, 10, 20, 50, 100, 200];
const DURATION_BUCKETS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

/** The size and duration of the ledger's transactions. */
export function addLedgerMetrics({ counter, histogram }: Metrics): LedgerObserver {
  const groups = histogram({
    name: 'ledger_transaction_operations',
    help: 'Operations in one transaction of the ledger',
    buckets: GROUP_BUCKETS,
  });
  const durations = histogram({
    name: 'ledger_transaction_duration_seconds',
    help: 'One transaction of the ledger, from asking for a connection to the end of its commit',
    labelNames: ['end'],
    buckets: DURATION_BUCKETS_SECONDS,
  });
  // Prometheus sees no increase in a series that begins with its first event, so each series begins with 0.
  for (const end of transactionEnds) durations.zero({ end });
  const refusedCorrections = counter({
    name: 'ledger_refused_corrections_total',
    help: 'Corrections refused because the transactions of a bet differ from its outcome',
  });
  return {
    paymentsDiffered: () => refusedCorrections.inc(),
    transactionEnded({ operations, ms, end }) {
      groups.observe(operations);
      durations.observe({ end }, ms / 1_000);
    },
  };
}

export function addLaneMetrics({ gauge, beforeScrape }: Metrics, lanes: Lanes): void {
  const waiting = gauge({
    name: 'ledger_lane_waiting',
    help: 'Tasks that wait for the next transaction of their lane, or for locks',
    labelNames: ['lane'],
  });
  beforeScrape(() => {
    for (const [lane, tasks] of lanes.waiting().entries()) waiting.set({ lane: String(lane) }, tasks);
  });
}

/** How late the workers end what is due, read at each scrape. While PostgreSQL is away the gauge is absent. */
export function addClockMetrics({ gauge, beforeScrape }: Metrics, reads: Pick<Reads, 'run'>): void {
  const lag = gauge({
    name: 'ledger_clock_lag_seconds',
    help: 'For how long the wager or offer that is due longest has waited to be ended; 0 when none is due',
  });
  beforeScrape(async () => {
    const seconds = await withScrapeTimeout(() => reads.run(readClockLag));
    if (seconds === undefined) lag.remove();
    else lag.set(seconds);
  });
}
