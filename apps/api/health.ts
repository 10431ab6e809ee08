import type { RequestHandler } from 'express';
import { sendJson } from '#http/answer.js';
import type { Database } from '#platform/database/database.js';
import type { Logger } from '#platform/logging/logger.js';
import { withScrapeTimeout } from '#platform/metrics/scrape-timeout.js';
import { readServiceHealth, type ServiceHealth } from '#reads/service-health.js';
import { presentCounts } from './fields/health.js';

/** For the database's answer, and for a group of the ledger's tasks. */
const READY_WITHIN_MS = 2_000;
/** How long the database's answer is shared. */
const READY_FOR_MS = 1_000;
/** The same for what runs behind the requests, which no load balancer waits for. */
const KNOWN_WITHIN_MS = 1_000;
const KNOWN_FOR_MS = 5_000;

/** The process is alive. */
export const healthz: RequestHandler = (_request, response) => {
  sendJson(response, 200, { status: 'ok' });
};

interface Sharing {
  /** How long an answer is shared. */
  readonly forMs: number;
  /** Callers wait no longer. */
  readonly withinMs: number;
}

/**
 * Asks one question at a time, whose callers share the answer: `/readyz` has neither a limit nor a credential. Undefined: no
 * answer came in time.
 */
function shareAnswers<Answer>(
  ask: () => Promise<Answer>,
  { forMs, withinMs }: Sharing,
): () => Promise<Answer | undefined> {
  let askedAtMs = Number.NEGATIVE_INFINITY;
  let answer: Promise<Answer | undefined> = Promise.resolve(undefined);
  let isWaiting = false;

  async function askInTime(): Promise<Answer | undefined> {
    const late = new Promise<undefined>((resolve) => setTimeout(resolve, withinMs, undefined).unref());
    const found = await Promise.race([ask().catch(() => undefined), late]);
    isWaiting = false;
    return found;
  }

  return () => {
    const nowMs = performance.now();
    if (!isWaiting && nowMs - askedAtMs >= forMs) {
      askedAtMs = nowMs;
      isWaiting = true;
      answer = askInTime();
    }
    return answer;
  };
}

export interface HealthOptions {
  readonly database: Database;
  /** For how long the present group of each lane has run. */
  readonly ledgerGroupMs: () => readonly number[];
  readonly isRedisReady: () => boolean;
  readonly logger: Pick<Logger, 'warn'>;
}

export interface Health {
  /** Whether the process can do its work. */
  isReady(): Promise<boolean>;
  /** It can without Redis: only mails and background work wait then. */
  isRedisReady(): boolean;
  /** What runs behind the requests; undefined: not known. */
  ofService(): Promise<ServiceHealth | undefined>;
  /** Undefined: it failed, or took too long. */
  inTime<Found>(read: () => Promise<Found>): Promise<Found | undefined>;
}

export function createHealth({ database, ledgerGroupMs, isRedisReady, logger }: HealthOptions): Health {
  const databaseAnswers = shareAnswers(async () => (await database.$queryRaw`SELECT 1`) !== undefined, {
    forMs: READY_FOR_MS,
    withinMs: READY_WITHIN_MS,
  });
  const reported = <Found>(read: () => Promise<Found>): Promise<Found> =>
    read().catch((error: unknown) => {
      logger.warn({ reason: String(error) }, 'a part of the health is not known');
      throw error;
    });
  /** A new connection may answer while the ledger still waits for an old one. */
  const ledgerMoves = () => ledgerGroupMs().every((ms) => ms < READY_WITHIN_MS);
  return {
    isReady: async () => ((await databaseAnswers()) ?? false) && ledgerMoves(),
    isRedisReady,
    ofService: shareAnswers(() => reported(() => readServiceHealth(database)), {
      forMs: KNOWN_FOR_MS,
      withinMs: KNOWN_WITHIN_MS,
    }),
    inTime: (read) => withScrapeTimeout(() => reported(read)),
  };
}

/** The status is about this process alone: it can do its work while no worker lives. */
export function readyz(health: Health): RequestHandler {
  return async (_request, response) => {
    const [ready, service] = await Promise.all([health.isReady(), health.ofService()]);
    sendJson(response, ready ? 200 : 503, {
      status: ready ? 'ready' : 'not ready',
      database: ready ? 'up' : 'down',
      redis: health.isRedisReady() ? 'up' : 'down',
      details: presentCounts(service),
    });
  };
}
