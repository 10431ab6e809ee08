import type { Request, RequestHandler, Response } from 'express';
import { setAnswerHeader } from '#http/answer.js';
import { networkOf } from '#http/limits/network.js';
import { shownRule } from '#http/limits/rate-limits.js';
import type { RequestCounter, Standing } from '#http/limits/request-limits.js';
import type { RequestLimit } from '#platform/config/limit-setting.js';
import { Refusal } from '#platform/errors/refusal.js';
import type { Endpoint } from '../endpoint.js';
import type { ApiServices } from '../services.js';

// The headers RateLimit and RateLimit-Policy follow the IETF's draft-ietf-httpapi-ratelimit-headers: the policies that
// apply to an answer, and how much is left of each.

const policyOf = (name: string, { requests, windowSeconds }: RequestLimit) =>
  `"${name}";q=${requests};w=${windowSeconds}`;
const standingOf = (name: string, { remaining, resetSeconds }: Standing) =>
  `"${name}";r=${remaining};t=${resetSeconds}`;

interface NamedCounter extends RequestCounter {
  readonly name: string;
  readonly policy: string;
}

const named = (name: string, counter: RequestCounter | undefined): NamedCounter | undefined =>
  counter && { ...counter, name, policy: policyOf(name, counter.limit) };

/** A limit, and where the caller stands. */
interface Shown {
  readonly policy: string;
  readonly standing: string;
}

/** The limits that apply to this answer so far. */
interface Met {
  ofCaller?: Shown | undefined;
  ofRoute?: Shown;
}

function show(response: Response): void {
  const { ofCaller, ofRoute } = response.locals as Met;
  const first = ofCaller ?? ofRoute;
  if (first === undefined) return;
  const more = ofCaller === undefined ? undefined : ofRoute;
  setAnswerHeader(response, 'RateLimit-Policy', more === undefined ? first.policy : `${first.policy}, ${more.policy}`);
  setAnswerHeader(response, 'RateLimit', more === undefined ? first.standing : `${first.standing}, ${more.standing}`);
}

/** Counts each request once: for its account, or without a credential for its address. */
export interface RequestCounts {
  readonly forAddress: (request: Request, response: Response) => void;
  /** Takes the count back when the credential has proved right. */
  readonly notForAddress: (request: Request) => void;
  readonly forAccount: (response: Response, accountId: bigint) => void;
  /** Runs before all other work of a route that takes a password or a code. */
  readonly forRoute: (endpoint: Endpoint) => RequestHandler[];
}

export function createRequestCounts({ requestLimits, limits, metrics }: ApiServices): RequestCounts {
  const account = named('account', requestLimits.account);
  const address = named('address', requestLimits.address);

  function refuse(limit: string, { resetSeconds }: Standing): never {
    metrics.onLimitRefused(limit);
    throw new Refusal('rate-limited', { retryAfterSeconds: resetSeconds });
  }

  function count(counter: NamedCounter, key: bigint | string, response: Response): void {
    const standing = counter.take(key);
    (response.locals as Met).ofCaller = { policy: counter.policy, standing: standingOf(counter.name, standing) };
    show(response);
    if (!standing.allowed) refuse(counter.name, standing);
  }

  return {
    forAddress(request, response) {
      if (address !== undefined) count(address, networkOf(request.ip ?? ''), response);
    },
    notForAddress(request) {
      address?.giveBack(networkOf(request.ip ?? ''));
    },
    forAccount(response, accountId) {
      if (account !== undefined) count(account, accountId, response);
    },
    forRoute({ limit, method, path }) {
      if (limit === undefined) return [];
      const name = shownRule(limit);
      return [
        async (request, response, next) => {
          const standing = await limits.take(limit, `${networkOf(request.ip ?? '')} ${method} ${path}`);
          const configured = limits.limitOf(limit);
          if (standing === undefined || configured === undefined) return next();
          (response.locals as Met).ofRoute = {
            policy: policyOf(name, configured),
            standing: standingOf(name, standing),
          };
          show(response);
          if (!standing.allowed) refuse(name, standing);
          next();
        },
      ];
    },
  };
}
