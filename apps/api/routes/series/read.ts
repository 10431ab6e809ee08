import { z } from 'zod';
import { numberFromSum } from '#core/money.js';
import * as fields from '#http/fields.js';
import { DAY_MS, HOUR_MS } from '#platform/config/time-units.js';
import { type HourOfSeries, readHourlySeries } from '#reads/hourly-series.js';
import { endpoint } from '../../endpoint.js';
import { count, decimal, moment } from '../../fields/answers.js';
import { accountId, notBoth } from '../../fields/lists.js';
import { visibleAccount } from '../../guards/visible-accounts.js';

const MAX_HOURS = 31 * 24;
const examples = ['2026-01-15', '2026-01-15T18:00:00Z'];

interface GivenPeriod {
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
}

const startOf = (at: number): number => Math.floor(at / HOUR_MS) * HOUR_MS;

/** Whole hours: those of both bounds are in it. Without `to` it ends with the present hour. */
function hoursOf({ from, to }: GivenPeriod): { readonly from: Date; readonly to: Date } {
  const end = Math.ceil((to?.getTime() ?? startOf(Date.now()) + HOUR_MS) / HOUR_MS) * HOUR_MS;
  return { from: new Date(startOf(from?.getTime() ?? end - DAY_MS)), to: new Date(end) };
}

const lengthOf = (given: GivenPeriod): number => {
  const { from, to } = hoursOf(given);
  return (to.getTime() - from.getTime()) / HOUR_MS;
};

const whenBothAreMoments = {
  when: ({ issues }: z.core.ParsePayload) => !issues.some(({ path }) => path?.[0] === 'from' || path?.[0] === 'to'),
};

const query = z
  .object({
    from: fields.timestampFrom
      .optional()
      .meta({ description: 'A moment of the first hour; a day before the end, unless given.', examples }),
    to: fields.timestampFrom.optional().meta({
      description: `The moment behind the last hour, at most ${MAX_HOURS} hours after the first; the end of the present hour, unless given.`,
      examples,
    }),
    wager_reference: fields.reference.optional().meta({ description: 'Of this wager alone.' }),
    user_reference: fields.reference
      .optional()
      .meta({ description: 'Of this user alone. Not together with `wager_reference`.' }),
    account_id: accountId,
  })
  .refine(
    ({ wager_reference: wager, user_reference: user }) => wager === undefined || user === undefined,
    notBoth('user_reference', 'wager_reference'),
  )
  .refine((given) => lengthOf(given) > 0, { path: ['from'], message: 'must be before to', ...whenBothAreMoments })
  .refine((given) => lengthOf(given) <= MAX_HOURS, {
    path: ['to'],
    message: `must not be more than ${MAX_HOURS} hours after from`,
    ...whenBothAreMoments,
  });

const hour = z
  .strictObject({
    at: moment('The beginning of the hour.'),
    matched_bets: count('How many bets found an acceptor.'),
    matched_amount: decimal('What they were matched for, in all.'),
    settled_bets: count('How many settlements bets had; a bet that is settled again counts again.'),
    settled_amount: decimal(
      'What settlements moved from one user to another; what a correction took back counts as well.',
    ),
    gross_exposure: decimal(
      'What the bets that were matched and not settled at the end of the hour could cost, each by itself: the stake of the requester and the winnings that the acceptor would pay. Of a user, its own side alone.',
    ),
  })
  .meta({
    id: 'HourOfSeries',
    examples: [
      {
        at: '2026-01-15T18:00:00.000Z',
        matched_bets: 12,
        matched_amount: 340.5,
        settled_bets: 3,
        settled_amount: 60,
        gross_exposure: 1020,
      },
    ],
  });

const present = (found: HourOfSeries): z.output<typeof hour> => ({
  at: found.at,
  matched_bets: found.matchedBets,
  matched_amount: numberFromSum(found.matchedAmount),
  settled_bets: found.settledBets,
  settled_amount: numberFromSum(found.settledAmount),
  gross_exposure: numberFromSum(found.grossExposure),
});

export const seriesRead = endpoint({
  method: 'get',
  path: '/series',
  tag: 'Bets',
  summary: 'Read what was matched, settled and at risk by hour',
  description:
    'From the event log, by the time of its events, in hours of UTC up to the present one. An hour says what happened in it: a later correction counts in the hour in which it is made. Of the account, or of one wager or one user. Both users of a bet have its amounts.',
  access: 'account',
  isList: true,
  query,
  answer: z
    .strictObject({
      step: z.enum(['hour']).meta({ description: 'How long each of them is.' }),
      data: z.array(hour).max(MAX_HOURS),
      behind_events: count('How many events are in none of the hours yet: 0, unless the worker is far behind.').meta({
        examples: [0],
      }),
    })
    .meta({ id: 'HourlySeries' }),
  refusals: ['wager-not-found', 'user-not-found'],
  async handle({ query: given, caller }, { database }) {
    const { wager_reference: wager, user_reference: user } = given;
    const account = visibleAccount(caller, given.account_id);
    const of = wager !== undefined ? { wager } : user !== undefined ? { user } : undefined;
    const request = { accountId: account, of, ...hoursOf(given) };
    const { hours, behind } = await readHourlySeries(database.of(account), request);
    return { step: 'hour' as const, data: hours.map(present), behind_events: Number(behind) };
  },
});
