import type { Request, Response } from 'express';
import type { Caller } from '#accounts/access/authenticator.js';
import { type Cause, UNKNOWN_ACTOR } from '#accounts/events/account-event.js';
import { actorOf } from '#accounts/events/caller-actor.js';
import { type EventCause, storedActor, UNKNOWN_CAUSE } from '#events/event-cause.js';

export function causeOf(request: Request, response: Response, isAdmin: boolean): Cause {
  const caller = request.user as Caller | undefined;
  return {
    actor: caller === undefined ? UNKNOWN_ACTOR : actorOf(caller, isAdmin),
    address: request.ip ?? null,
    requestId: response.locals.requestId ?? null,
  };
}

/** The same for the event log, which names accounts and keys by their ids. */
export function eventCauseOf(request: Request, response: Response, isAdmin: boolean): EventCause {
  const caller = request.user as Caller | undefined;
  const requestId: string | null = response.locals.requestId ?? null;
  if (caller === undefined) return { ...UNKNOWN_CAUSE, requestId };
  const { accountId } = caller.account;
  return { actor: storedActor(isAdmin ? 'admin' : 'account', { accountId, apiKeyId: caller.apiKey?.id }), requestId };
}
