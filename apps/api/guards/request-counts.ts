import type { RequestHandler, Response } from 'express';
import { setAnswerHeader } from '#http/answer.js';
import type { CallerCounts } from '#http/authenticate.js';
import { networksOf } from '#http/limits/network.js';
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

export interface RequestCounts extends CallerCounts {
  /** Runs before all other work of a route that takes a password or a code. */
  readonly forRoute: (endpoint: Endpoint) => RequestHandler[];
}

export function createRequestCounts({ requestLimits, limits, metrics }: ApiServices): RequestCounts {
  const account = named('account', requestLimits.account);
  /** By the share of a network. */
  const networks = {
    1: named('address', requestLimits.address),
    2: named('network', requestLimits.network),
    4: named('network', requestLimits.wideNetwork),
  };

  function refuse(limit: string, { resetSeconds }: Standing): never {
    metrics.onLimitRefused(limit);
    throw new Refusal('rate-limited', { retryAfterSeconds: resetSeconds });
  }

  function meet(counter: NamedCounter, standing: Standing, response: Response): void {
    (response.locals as Met).ofCaller = { policy: counter.policy, standing: standingOf(counter.name, standing) };
    show(response);
    if (!standing.allowed) refuse(counter.name, standing);
  }

  return {
    forAddress(request, response) {
      for (const { name, share } of networksOf(request.ip ?? '')) {
        const counter = networks[share];
        const standing = counter?.take(name);
        // The answer shows the count of the narrowest network, or the one that refuses.
        if (counter !== undefined && standing !== undefined && (share === 1 || !standing.allowed)) {
          meet(counter, standing, response);
        }
      }
    },
    notForAddress(request) {
      for (const { name, share } of networksOf(request.ip ?? '')) networks[share]?.giveBack(name);
    },
    forAccount: account && ((response, accountId) => meet(account, account.take(accountId), response)),
    forRoute({ limit, method, path }) {
      if (limit === undefined) return [];
      const name = shownRule(limit);
      return [
        async (request, response, next) => {
          const standing = await limits.take(limit, request.ip ?? '', `${method} ${path}`);
          if (standing === undefined) return next();
          (response.locals as Met).ofRoute = {
            policy: policyOf(name, standing.limit),
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
