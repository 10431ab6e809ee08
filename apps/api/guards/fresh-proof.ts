import type { RequestHandler } from 'express';
import { z } from 'zod';
import type { Caller } from '#accounts/access/authenticator.js';
import { isFresh } from '#accounts/second-factor/fresh-proof.js';
import { Refusal } from '#platform/errors/refusal.js';
import type { Endpoint } from '../endpoint.js';

type Proving = Pick<Endpoint, 'body' | 'freshProof'>;

const takes = ({ body }: Proving, field: 'password' | 'code'): boolean =>
  body instanceof z.ZodObject && Object.hasOwn(body.shape, field);

function assertFresh(caller: Caller | undefined): void {
  if (caller !== undefined && !isFresh(caller)) throw new Refusal('proof-stale');
}

/** Refuses before the body is read, unless that may hold the proof, or says whether one is needed. */
export function freshProofGuards(endpoint: Proving): readonly RequestHandler[] {
  if (endpoint.freshProof !== true || takes(endpoint, 'password')) return [];
  return [
    (request, _response, next) => {
      assertFresh(request.user as Caller);
      next();
    },
  ];
}

/**
 * What is left to check when the body is known; undefined: nothing. The handler proves a given password. That is a proof of who
 * has no second factor, or gives its code with it.
 */
export function freshProofOf(endpoint: Proving): ((caller: Caller | undefined, body: unknown) => void) | undefined {
  const { freshProof } = endpoint;
  if (freshProof === undefined || (freshProof === true && !takes(endpoint, 'password'))) return undefined;
  const isNeeded = freshProof === true ? () => true : freshProof;
  const takesCode = takes(endpoint, 'code');
  return (caller, body) => {
    const { password } = body as { readonly password?: string | null };
    const isProved = password != null && (takesCode || caller?.hasSecondFactor !== true);
    if (!isProved && isNeeded(body as never)) assertFresh(caller);
  };
}
