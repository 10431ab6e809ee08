import type { RequestHandler } from 'express';
import { sendJson } from '#http/answer.js';
import type { ApiServices } from './services.js';

/** For the database's answer, and for a group of the ledger's tasks. */
const READY_WITHIN_MS = 2_000;
/** How long the database's answer is shared. */
const READY_FOR_MS = 1_000;

/** The process is alive. */
export const healthz: RequestHandler = (_request, response) => {
  sendJson(response, 200, { status: 'ok' });
};

/**
 * Asks the database at most once a second, and one question at a time: `/readyz` has neither a limit nor a credential, so
 * its callers share the answer.
 */
function createDatabaseProbe({ database }: ApiServices): () => Promise<boolean> {
  let askedAtMs = Number.NEGATIVE_INFINITY;
  let answer: Promise<boolean> = Promise.resolve(false);
  let isWaiting = false;

  async function ask(): Promise<boolean> {
    const late = new Promise<false>((resolve) => setTimeout(resolve, READY_WITHIN_MS, false).unref());
    const query = database.$queryRaw`SELECT 1`.then(
      () => true,
      () => false,
    );
    const answers = await Promise.race([query, late]);
    isWaiting = false;
    return answers;
  }

  return () => {
    const nowMs = performance.now();
    if (!isWaiting && nowMs - askedAtMs >= READY_FOR_MS) {
      askedAtMs = nowMs;
      isWaiting = true;
      answer = ask();
    }
    return answer;
  };
}

/** A new connection may answer while the ledger still waits for an old one. */
const ledgerMoves = ({ ledgerGroupMs }: ApiServices): boolean => ledgerGroupMs().every((ms) => ms < READY_WITHIN_MS);

/** The process can do its work. It can without Redis: only mails and background work wait then. */
export function readyz(services: ApiServices): RequestHandler {
  const databaseAnswers = createDatabaseProbe(services);
  return async (_request, response) => {
    const ready = (await databaseAnswers()) && ledgerMoves(services);
    sendJson(response, ready ? 200 : 503, {
      status: ready ? 'ready' : 'not ready',
      database: ready ? 'up' : 'down',
      redis: services.isRedisReady() ? 'up' : 'down',
    });
  };
}
