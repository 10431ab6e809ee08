import { z } from 'zod';
import { numberFromMicros, numberFromSum } from '#core/money.js';
import { noteAsOf } from '#events/event-position.js';
import * as fields from '#http/fields.js';
import { HOURS_SHOWN } from '#reads/matched-by-hour.js';
import { type LargestLoss, MOST_WAGERS, type RiskyUser, type WagerAtRisk, type WagerRisk } from '#reads/wager-risk.js';
import { endpoint } from '../../endpoint.js';
import { count, decimal, id, moment, text } from '../../fields/answers.js';
import { wagerStatus } from '../../fields/enums.js';
import { accountId, references } from '../../fields/lists.js';
import { visibleAccount } from '../../guards/visible-accounts.js';
import { wagerClock } from '../wagers/wager.js';

const result = z.enum(['win', 'loss']).meta({ description: 'The result at which that is.' });
const loss = { outcome: result, amount: decimal('How much.') };

export const riskyUser = {
  user_id: id('The user.'),
  user_reference: text('The user, as the business calls it.'),
  user_name: text('Its name.'),
};

const example = {
  id: 3,
  reference: 'home-win',
  event: 'final',
  status: 'open' as const,
  created_at: '2026-01-15T18:36:00.000Z',
  closes_at: null,
  starts_at: null,
  matched_bets: 2,
  matched_amount: 30,
  matched_by_hour: [...Array.from({ length: HOURS_SHOWN - 2 }, () => 0), 20, 10],
  open_amount: 12,
  open_offers: 1,
  last_odds: 2.5,
  worst_case: { outcome: 'win' as const, amount: 45 },
  largest_loss: {
    user_id: 12,
    user_reference: 'bob',
    user_name: 'Bob',
    outcome: 'win' as const,
    amount: 30,
  },
};

const atRisk = z
  .strictObject({
    id: id('Its id.'),
    reference: text('What the business calls it.'),
    event: wagerClock.event,
    status: wagerStatus,
    created_at: moment('When it was first named.'),
    closes_at: wagerClock.closes_at,
    starts_at: wagerClock.starts_at,
    matched_bets: count('How many bets were ever matched on it.'),
    matched_amount: decimal('The amounts of all bets that were ever matched on it.'),
    matched_by_hour: z
      .array(decimal('The amounts of an hour.'))
      .length(HOURS_SHOWN)
      .meta({
        description: `What was matched in each of the last ${HOURS_SHOWN} hours (UTC), the present one last. While a worker is far behind, the newest is missing, as in \`/series\`.`,
      }),
    open_amount: decimal('The stakes of its open offers together.'),
    open_offers: count('How many open offers it has.'),
    last_odds: decimal('The odds of the last acceptance; null: there is none.').nullable(),
    worst_case: z.strictObject(loss).nullable().meta({
      description:
        'The most that those users who lose by their matched bets pay together at one result, a `win` or a `loss`; the others get as much. Null: not known yet, or the wager has more than 250,000 matched bets.',
    }),
    largest_loss: z
      .strictObject({ ...riskyUser, ...loss })
      .nullable()
      .meta({
        description:
          'The user who can lose the most by its matched bets on the wager, of several the one with the lowest id. Null: nobody can lose, or the worst case is not known.',
      }),
  })
  .meta({ id: 'WagerAtRisk', description: 'What an undecided wager can still cost.', examples: [example] });

type Key = bigint | number | null | undefined;

const keys = {
  worst_case: ({ worstCase }) => worstCase?.amount,
  largest_loss: ({ worstCase }) => worstCase?.largestLoss?.amount,
  matched_amount: ({ matchedAmount }) => matchedAmount,
  open_amount: ({ openAmount }) => openAmount,
  last_odds: ({ lastOdds }) => lastOdds,
  created_at: ({ createdAt }) => createdAt.getTime(),
  closes_at: ({ closesAt }) => closesAt?.getTime(),
} as const satisfies Record<string, (wager: WagerAtRisk) => Key>;

const sorts = Object.keys(keys) as [keyof typeof keys, ...(keyof typeof keys)[]];

/** What has no value stands last, in either direction, and what is equal by id. */
function sorted(wagers: readonly WagerAtRisk[], by: keyof typeof keys, descending: boolean): WagerAtRisk[] {
  const keyOf: (wager: WagerAtRisk) => Key = keys[by];
  const up = descending ? -1 : 1;
  return [...wagers].sort((one, other) => {
    const [first, second] = [keyOf(one) ?? null, keyOf(other) ?? null];
    if (first === second) return up * Number(one.id - other.id);
    if (first === null || second === null) return first === null ? 1 : -1;
    return first < second ? -up : up;
  });
}

const presentLoss = ({ outcome, amount }: LargestLoss, { id: user, reference, name }: RiskyUser) => ({
  user_id: Number(user),
  user_reference: reference,
  user_name: name,
  outcome,
  amount: numberFromSum(amount),
});

function presentAtRisk(wager: WagerAtRisk, users: WagerRisk['users']): z.output<typeof atRisk> {
  const { worstCase } = wager;
  const largest = worstCase?.largestLoss ?? undefined;
  const user = largest && users.get(largest.userId);
  return {
    id: Number(wager.id),
    reference: wager.reference,
    event: wager.event,
    status: wager.status,
    created_at: wager.createdAt,
    closes_at: wager.closesAt,
    starts_at: wager.startsAt,
    matched_bets: Number(wager.matchedBets),
    matched_amount: numberFromSum(wager.matchedAmount),
    matched_by_hour: wager.matchedByHour.map(numberFromSum),
    open_amount: numberFromSum(wager.openAmount),
    open_offers: wager.openOffers,
    last_odds: wager.lastOdds === null ? null : numberFromMicros(wager.lastOdds),
    worst_case:
      worstCase === undefined ? null : { outcome: worstCase.outcome, amount: numberFromSum(worstCase.amount) },
    largest_loss: largest === undefined || user === undefined ? null : presentLoss(largest, user),
  };
}

const sumOf = (wagers: readonly WagerAtRisk[], amountOf: (wager: WagerAtRisk) => bigint): number =>
  numberFromSum(wagers.reduce((sum, wager) => sum + amountOf(wager), 0n));

const totals = z.strictObject({
  wagers: count('How many wagers.'),
  matched_amount: decimal('Their matched amounts together.'),
  open_amount: decimal('Their open stakes together.'),
  open_offers: count('How many open offers they have.'),
  worst_case: decimal('Their known worst cases together: as if each wager had its own worst result.'),
});

const totalsOf = (wagers: readonly WagerAtRisk[]): z.output<typeof totals> => ({
  wagers: wagers.length,
  matched_amount: sumOf(wagers, ({ matchedAmount }) => matchedAmount),
  open_amount: sumOf(wagers, ({ openAmount }) => openAmount),
  open_offers: wagers.reduce((sum, { openOffers }) => sum + openOffers, 0),
  worst_case: sumOf(wagers, ({ worstCase }) => worstCase?.amount ?? 0n),
});

export const sharedMoment = moment(
  'What was committed before this moment is in the figures, and all of them are of one moment.',
);

export const riskWagers = endpoint({
  method: 'get',
  path: '/risk/wagers',
  tag: 'Risk',
  summary: 'List what each undecided wager can still cost',
  description: `Of the ${MOST_WAGERS} undecided wagers with the most matched, among the newest 20,000. All callers share an answer for 3 seconds, and for longer where it took long: at most a thirtieth of the time goes into it.`,
  access: 'account',
  query: z.object({
    account_id: accountId,
    event: references.meta({ description: 'Only those with one of these labels.' }),
    sort_by: z
      .enum(sorts)
      .default('worst_case')
      .meta({ description: 'Ties stand by id; what has no value stands last.' }),
    sort_direction: z.enum(['asc', 'desc']).default('desc').meta({ description: 'Up or down.' }),
    limit: fields.integerText
      .pipe(z.int().min(1).max(MOST_WAGERS))
      .default(100)
      .meta({ description: 'How many to show. The totals are of all.' }),
  }),
  answer: z
    .strictObject({
      as_of: sharedMoment,
      is_complete: z.boolean().meta({
        description: 'Whether no undecided wager is missing, and the worst case of each is known.',
        examples: [true],
      }),
      totals,
      data: z.array(atRisk).max(MOST_WAGERS),
    })
    .meta({
      id: 'WagersAtRisk',
      examples: [
        {
          as_of: '2026-01-15T18:40:00.000Z',
          is_complete: true,
          totals: { wagers: 1, matched_amount: 30, open_amount: 12, open_offers: 1, worst_case: 45 },
          data: [example],
        },
      ],
    }),
  async handle({ query, caller }, { risk, database }) {
    const account = visibleAccount(caller, query.account_id);
    const { asOf, head, wagers, users, isComplete } = await risk.wagersOf(account);
    noteAsOf({ database }, { accountId: account, head });
    const { event: events, sort_by, sort_direction, limit } = query;
    const chosen =
      events === undefined ? wagers : wagers.filter(({ event }) => event !== null && events.includes(event));
    const shown = sorted(chosen, sort_by, sort_direction === 'desc').slice(0, limit);
    return {
      as_of: asOf,
      is_complete: isComplete,
      totals: totalsOf(chosen),
      data: shown.map((wager) => presentAtRisk(wager, users)),
    };
  },
});
