import type { RequestHandler } from 'express';
import { setAnswerHeader } from '#http/answer.js';

export const DEPRECATION_HEADER = 'Deprecation';
export const SUNSET_HEADER = 'Sunset';

/** Of an endpoint that will go. The dates are days in UTC, like `2027-01-31`. */
export interface Deprecation {
  readonly since: string;
  /** Until then it works as before. */
  readonly sunset: string;
  /** What to call, like `POST /bets/make-offer`. */
  readonly instead: string;
}

const MS = 1_000;
const dayOf = (day: string): Date => new Date(`${day}T00:00:00Z`);

/** RFC 9745 and RFC 8594. */
const deprecationHeaders = ({ since, sunset }: Deprecation): readonly (readonly [string, string])[] => [
  [DEPRECATION_HEADER, `@${dayOf(since).getTime() / MS}`],
  [SUNSET_HEADER, dayOf(sunset).toUTCString()],
];

export const deprecationText = ({ since, sunset, instead }: Deprecation): string =>
  `Deprecated since ${since}, and gone after ${sunset}: use \`${instead}\`.`;

/** The guard of a deprecated endpoint: every answer of it, a refusal too, has the headers. */
export function announceDeprecation({ deprecated }: { readonly deprecated?: Deprecation }): RequestHandler[] {
  if (deprecated === undefined) return [];
  const headers = deprecationHeaders(deprecated);
  return [
    (_request, response, next) => {
      for (const [name, value] of headers) setAnswerHeader(response, name, value);
      next();
    },
  ];
}
