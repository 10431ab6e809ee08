import type { RequestHandler } from 'express';
import { sendJson } from '#http/answer.js';
import type { ApiServices } from './services.js';

/** For the database's answer, and for a group of the ledger's tasks. */
const READY_WITHIN_MS = 2_000;

/** The process is alive. */
export const healthz: RequestHandler = (_request, response) => {
  sendJson(response, 200, { status: 'ok' });
};

async function databaseAnswers({ database }: ApiServices): Promise<boolean> {
  const late = new Promise<false>((resolve) => setTimeout(resolve, READY_WITHIN_MS, false).unref());
  const answer = database.$queryRaw`SELECT 1`.then(
    () => true,
    () => false,
  );
  return Promise.race([answer, late]);
}

/** A new connection may answer while the ledger still waits for an old one. */
const ledgerMoves = ({ ledgerGroupMs }: ApiServices): boolean => ledgerGroupMs().every((ms) => ms < READY_WITHIN_MS);

/** The process can do its work. It can without Redis: only mails and background work wait then. */
export function readyz(services: ApiServices): RequestHandler {
  return async (_request, response) => {
    const ready = (await databaseAnswers(services)) && ledgerMoves(services);
    sendJson(response, ready ? 200 : 503, {
      status: ready ? 'ready' : 'not ready',
      database: ready ? 'up' : 'down',
      redis: services.isRedisReady() ? 'up' : 'down',
    });
  };
}
