import type { RequestHandler } from 'express';
import { z } from 'zod';
import type { Caller } from '#accounts/access/authenticator.js';
import { isFresh } from '#accounts/second-factor/fresh-proof.js';
import { Refusal } from '#platform/errors/refusal.js';
import type { Endpoint } from '../endpoint.js';

type Proving = Pick<Endpoint, 'body' | 'freshProof'>;

const takesPassword = ({ body }: Proving): boolean =>
  body instanceof z.ZodObject && Object.hasOwn(body.shape, 'password');

function assertFresh(caller: Caller | undefined): void {
  if (caller !== undefined && !isFresh(caller)) throw new Refusal('proof-stale');
}

/** Refuses before the body is read, unless that may hold the proof, or says whether one is needed. */
export function freshProofGuards(endpoint: Proving): readonly RequestHandler[] {
  if (endpoint.freshProof !== true || takesPassword(endpoint)) return [];
  return [
    (request, _response, next) => {
      assertFresh(request.user as Caller);
      next();
    },
  ];
}

/** What is left to check when the body is known; undefined: nothing. The handler proves a given password. */
export function freshProofOf(endpoint: Proving): ((caller: Caller | undefined, body: unknown) => void) | undefined {
  const { freshProof } = endpoint;
  if (freshProof === undefined || (freshProof === true && !takesPassword(endpoint))) return undefined;
  const isNeeded = freshProof === true ? () => true : freshProof;
  return (caller, body) => {
    const { password } = body as { readonly password?: string | null };
    if (password == null && isNeeded(body as never)) assertFresh(caller);
  };
}
