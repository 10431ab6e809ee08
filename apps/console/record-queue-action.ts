import type { Request, RequestHandler, Response } from 'express';
import { actorOfCaller, type Caller } from '#accounts/access/authenticator.js';
import { recordEvents } from '#accounts/events/record-events.js';
import { assertSafeText } from '#http/request-input.js';
import { type Database, withTx } from '#platform/database/database.js';

/** Makes the guard of one of Bull Board's routes that act. */
export type RecordQueueAction = (route: string) => RequestHandler;

const MAX_SHOWN = 200;

/** `/api/queues/:queueName/:jobId/retry` is the action `retry`. */
const actionOf = (route: string): string =>
  route
    .split('/')
    .filter((part) => !['', 'api', 'queues'].includes(part) && !part.startsWith(':'))
    .join('/');

function shown(params: Request['params'], name: string): string | null {
  const given = params[name];
  if (typeof given !== 'string') return null;
  assertSafeText(given, [name]);
  return given.slice(0, MAX_SHOWN);
}

/**
 * Writes an event of the admin's account before the action is done: what no event could be written for does not happen. An
 * action that then finds no such job has its event too.
 */
export function createRecordQueueAction(database: Database): RecordQueueAction {
  async function record(action: string, { user, params, ip }: Request, { locals }: Response): Promise<void> {
    const caller = user as Caller;
    const after = {
      action,
      queue: shown(params, 'queueName'),
      job: shown(params, 'jobId'),
      state: shown(params, 'queueStatus'),
      scheduler: shown(params, 'schedulerId'),
    };
    const cause = { actor: actorOfCaller(caller, true), address: ip ?? null, requestId: locals.requestId };
    const event = { accountId: caller.account.accountId, type: 'queue-action', after } as const;
    await withTx(database.shared, (tx) => recordEvents(tx, cause, [event]));
  }

  return (route) => {
    const action = actionOf(route);
    return (request, response, next) => {
      // A path may match several routes: Bull Board answers by the first, too.
      if (response.locals.queueAction !== undefined) return next();
      response.locals.queueAction = action;
      record(action, request, response).then(() => next(), next);
    };
  };
}
