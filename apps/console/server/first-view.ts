import { once } from 'node:events';
import type { Request, Response } from 'express';
import type { FirstAnswer, FirstView } from '../ui/api/first-view-data.js';
import type { ApiAnswer, ApiCalls } from './api-calls.js';
import { firstRequestsOf } from './first-looks.js';
import type { Sessions } from './sessions.js';
import type { ReadShownSession } from './shown-session.js';

// What a page needs for its first view comes with the page: the session, and what it asks the API for. The browser then shows
// it as soon as its script runs, without a request. An address with a query has filters or names another account: its page
// asks by itself.

/** A page does not wait longer for the API. What is not there by then, its script asks for. */
const PATIENCE_MS = 500;
const OK = 200;
const firstAnswerOf = ({ body, headers }: ApiAnswer): FirstAnswer => ({
  body: body as object,
  asOf: headers['ledger-as-of'] as string | undefined,
  date: headers.date,
});

/**
 * Reads what comes with the page of a request. Undefined without a session: a browser that follows a link of another site
 * does not send its cookie, so the page asks again. It never throws and never takes long: what fails, the page asks for and
 * says.
 */
export type ReadFirstView = (request: Request, response: Response) => Promise<FirstView | undefined>;

export interface FirstViewOptions {
  readonly sessions: Sessions;
  readonly readShownSession: ReadShownSession;
  readonly calls: ApiCalls;
}

export function createReadFirstView({ sessions, readShownSession, calls }: FirstViewOptions): ReadFirstView {
  return async (request, response) => {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const late = once(signal, 'abort').then(() => undefined);
    const inTime = <Result>(result: Promise<Result>) => Promise.race([result.catch(() => undefined), late]);
    const readAnswer = async (path: string, token: string): Promise<[string, FirstAnswer][]> => {
      const answer = await inTime(calls.read(path, { token, signal }, request, response));
      return answer?.status === OK ? [[path, firstAnswerOf(answer)]] : [];
    };
    const stored = await inTime(sessions.find(request));
    if (stored === undefined) return undefined;
    const paths = request.originalUrl.includes('?') ? [] : firstRequestsOf(request.path);
    const [session, ...answers] = await Promise.all([
      inTime(readShownSession(stored.token)),
      ...paths.map((path) => readAnswer(path, stored.token)),
    ]);
    return session && { session, answers: Object.fromEntries(answers.flat()) };
  };
}
