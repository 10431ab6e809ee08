import type { Request, Response } from 'express';
import type { Caller } from '#accounts/access/authenticator.js';
import { type Cause, UNKNOWN_ACTOR } from '#accounts/events/account-event.js';
import { actorOf } from '#accounts/events/caller-actor.js';

export function causeOf(request: Request, response: Response, isAdmin: boolean): Cause {
  const caller = request.user as Caller | undefined;
  return {
    actor: caller === undefined ? UNKNOWN_ACTOR : actorOf(caller, isAdmin),
    address: request.ip ?? null,
    requestId: response.locals.requestId ?? null,
  };
}
