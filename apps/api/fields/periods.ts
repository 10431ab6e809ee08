import { z } from 'zod';
import * as fields from '#http/fields.js';
import { formerly } from '#http/request-input.js';
import { DAY_MS } from '#platform/config/time-units.js';
import { cursor, notBoth } from './lists.js';

// Query fields of reads over a period.

export const MAX_PERIOD_DAYS = 400;
const USUAL_PERIOD_DAYS = 31;
const MAX_LINES = 1_000;

const examples = ['2026-01-15', '2026-01-15T18:30:00Z'];

export const periodFields = {
  from: fields.timestampFrom.optional().meta({
    description: `The first moment of the period; ${USUAL_PERIOD_DAYS} days before its end, unless given.`,
    examples,
  }),
  to: fields.timestampFrom.optional().meta({
    description: `The moment behind the period, at most ${MAX_PERIOD_DAYS} days after \`from\`; now, unless given.`,
    examples,
  }),
};

export const lineLimit = formerly(fields.integerText.pipe(z.int().min(1).max(MAX_LINES)).optional(), 'limit');

export const lineCursor = cursor.meta({
  description: 'The page that a former answer named as `next`; the other parameters must be the same.',
});

/** The bounds of a period, by the names that lists have for them. */
export const createdPeriodFields = {
  created_after: fields.timestampFrom.optional().meta({ description: 'The same as `from`.', examples }),
  created_before: fields.timestampUntil.optional().meta({
    description: 'The last moment of the period, or a bare date, its last day: unlike `to`, it is in the period.',
    examples,
  }),
};

interface GivenPeriod {
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
  readonly created_after?: Date | undefined;
  readonly created_before?: Date | undefined;
}

/** No time that is stored is later. */
const LAST_MS = Date.UTC(9_999, 11, 31, 23, 59, 59, 999);

/** The bounds that a request names, by either name. Times have whole milliseconds. */
export const boundsOf = ({ from, to, created_after: after, created_before: last }: GivenPeriod) => ({
  from: from ?? after,
  to: to ?? (last && new Date(Math.min(last.getTime() + 1, LAST_MS))),
});

interface GivenQuery extends GivenPeriod {
  readonly cursor?: unknown;
}

/** An absent `to` means the present end of the ledger, which is for the database to say. */
export function periodOf(given: GivenPeriod): { readonly from: Date; readonly to: Date | undefined } {
  const { from, to } = boundsOf(given);
  return { from: from ?? new Date((to?.getTime() ?? Date.now()) - USUAL_PERIOD_DAYS * DAY_MS), to };
}

const lengthOf = (given: GivenPeriod): number => {
  const { from, to } = periodOf(given);
  return (to?.getTime() ?? Date.now()) - from.getTime();
};

const BOUNDS: readonly unknown[] = ['from', 'to', 'created_after', 'created_before'];

/** Says nothing of a period whose bounds are no moments; otherwise its faults join those of the other fields. */
const whenBothAreMoments = {
  when: ({ issues }: z.core.ParsePayload) => !issues.some(({ path }) => BOUNDS.includes(path?.[0])),
};

/** A page by cursor is of the period of the first page, which ended when that one was read. */
const isOpened = ({ cursor = 'first' }: GivenQuery): boolean => cursor !== 'first';

export const withPeriod = <Schema extends z.ZodType<GivenQuery>>(query: Schema): Schema =>
  query
    .refine(
      ({ from, created_after: other }) => from === undefined || other === undefined,
      notBoth('created_after', 'from'),
    )
    .refine(({ to, created_before: other }) => to === undefined || other === undefined, notBoth('created_before', 'to'))
    .refine((given) => isOpened(given) || lengthOf(given) > 0, {
      path: ['from'],
      message: 'must be before to',
      ...whenBothAreMoments,
    })
    .refine((given) => isOpened(given) || lengthOf(given) <= MAX_PERIOD_DAYS * DAY_MS, {
      path: ['to'],
      message: `must not be more than ${MAX_PERIOD_DAYS} days after from`,
      ...whenBothAreMoments,
    });
