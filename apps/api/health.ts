import type { RequestHandler } from 'express';
import { sendJson } from '#http/answer.js';
import { type KnownWorker, readWorkers } from '#jobs/heartbeats.js';
import { type Database, withTx } from '#platform/database/database.js';
import type { Logger } from '#platform/logging/logger.js';
import {
  type AccountHealth,
  listAllStuckSettlements,
  listUsersBelowZero,
  readAccountHealth,
  readServiceHealth,
  type ServiceHealth,
  type StuckSettlement,
  type UserBelowZero,
} from '#reads/service-health.js';
import { presentCounts } from './fields/health.js';
import { type SharedAnswer, shareAnswers, shareByAccount } from './shared-answers.js';

/** For the database's answer, and for a group of the ledger's tasks. */
const READY_WITHIN_MS = 2_000;
/** An older answer says nothing about whether the process can work now. */
const READY = { forMs: 1_000, withinMs: READY_WITHIN_MS, knownForMs: 1_000 };
/** For what runs behind the requests. `/readyz` waits for none of it. */
const KNOWN_WITHIN_MS = 1_000;
const KNOWN_FOR_MS = 30_000;
const OF_SERVICE = { forMs: 5_000, withinMs: KNOWN_WITHIN_MS, knownForMs: KNOWN_FOR_MS };
/** For what an account or an admin looks at. */
const LOOKED_AT = { forMs: 3_000, withinMs: KNOWN_WITHIN_MS, knownForMs: KNOWN_FOR_MS };

/** It reads every balance of the account: a tenth of a second for a million. */
const OF_BALANCES = { forMs: 30_000, withinMs: KNOWN_WITHIN_MS, knownForMs: 120_000 };

/** Of how many accounts the answers are shared. An answer has a few kilobytes. */
const SHARED = { accounts: 500, atOnce: 2 };

/** Shown at once to admins. */
export const MOST_WORKERS = 100;

/** The process is alive. */
export const healthz: RequestHandler = (_request, response) => {
  sendJson(response, 200, { status: 'ok' });
};

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
  /** What runs behind the requests. */
  readonly ofService: SharedAnswer<ServiceHealth>;
  /** For admins. */
  readonly workers: SharedAnswer<readonly KnownWorker[]>;
  readonly stuckSettlements: SharedAnswer<readonly StuckSettlement[]>;
  ofAccount(accountId: bigint): SharedAnswer<AccountHealth>;
  usersBelowZero(accountId: bigint): SharedAnswer<readonly UserBelowZero[]>;
}

export function createHealth({ database, ledgerGroupMs, isRedisReady, logger }: HealthOptions): Health {
  const answers = shareAnswers(
    () =>
      database.shared.$queryRaw`SELECT 1`.then(
        () => true,
        () => false,
      ),
    READY,
  );
  const reported = <Found>(read: () => Promise<Found>): Promise<Found> =>
    read().catch((error: unknown) => {
      logger.warn({ reason: String(error) }, 'a part of the health is not known');
      throw error;
    });
  /** A new connection may answer while the ledger still waits for an old one. */
  const ledgerMoves = () => ledgerGroupMs().every((ms) => ms < READY_WITHIN_MS);
  return {
    isReady: async () => ((await answers.soon()) ?? false) && ledgerMoves(),
    isRedisReady,
    ofService: shareAnswers(() => reported(() => readServiceHealth(database)), OF_SERVICE),
    workers: shareAnswers(() => reported(() => readWorkers(database, MOST_WORKERS)), LOOKED_AT),
    stuckSettlements: shareAnswers(() => reported(() => listAllStuckSettlements(database)), LOOKED_AT),
    ofAccount: shareByAccount(
      (accountId) => () => reported(() => withTx(database.of(accountId), (tx) => readAccountHealth(tx, accountId))),
      { ...LOOKED_AT, ...SHARED },
    ),
    usersBelowZero: shareByAccount(
      (accountId) => () => reported(() => listUsersBelowZero(database.of(accountId), accountId)),
      { ...OF_BALANCES, ...SHARED },
    ),
  };
}

/** The status is about this process alone: it can do its work while no worker lives. */
export function readyz(health: Health): RequestHandler {
  return async (_request, response) => {
    const ready = await health.isReady();
    sendJson(response, ready ? 200 : 503, {
      status: ready ? 'ready' : 'not ready',
      database: ready ? 'up' : 'down',
      redis: health.isRedisReady() ? 'up' : 'down',
      details: presentCounts(health.ofService.last()),
    });
  };
}
