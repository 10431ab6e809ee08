import { z } from 'zod';
import { asMicros, numberFromMicros, numberFromSum } from '#core/money.js';
import { noteAsOf } from '#events/event-position.js';
import * as fields from '#http/fields.js';
import { MOST_RISKY_USERS, type UserAtRisk, type UserRiskSort, userRiskSorts } from '#reads/user-risk.js';
import { endpoint } from '../../endpoint.js';
import { count, decimal, moment } from '../../fields/answers.js';
import { accountId } from '../../fields/lists.js';
import { visibleAccount } from '../../guards/visible-accounts.js';
import { riskyUser, sharedMoment } from './wagers.js';

const example = {
  user_id: 12,
  user_reference: 'bob',
  user_name: 'Bob',
  balance: 100,
  exposure: 30,
  available: 70,
  profit_today: -5,
};

const atRisk = z
  .strictObject({
    ...riskyUser,
    balance: decimal('What the user has.'),
    exposure: decimal('The worst that its open offers and bets can still cost it.'),
    available: decimal('Balance minus exposure.'),
    profit_today: decimal('Credits minus debits of its bets today; below zero: a loss.'),
  })
  .meta({
    id: 'UserAtRisk',
    examples: [example],
  });

type Key = (user: UserAtRisk) => bigint;

/** The largest first. */
const keys: Record<UserRiskSort, Key> = {
  exposure: ({ exposure }) => exposure,
  profit_today: ({ profit }) => BigInt(profit),
  loss_today: ({ profit }) => -BigInt(profit),
};

/** Those that have any. */
const sorted = (users: readonly UserAtRisk[], keyOf: Key): UserAtRisk[] =>
  users
    .filter((user) => keyOf(user) > 0n)
    .sort((one, other) => Number(keyOf(other) - keyOf(one)) || Number(one.id - other.id));

const presentUser = ({ id, reference, name, balance, exposure, profit }: UserAtRisk): z.output<typeof atRisk> => ({
  user_id: Number(id),
  user_reference: reference,
  user_name: name,
  balance: numberFromMicros(balance),
  exposure: numberFromMicros(exposure),
  available: numberFromMicros(asMicros(balance - exposure)),
  profit_today: numberFromSum(BigInt(profit)),
});

export const riskUsers = endpoint({
  method: 'get',
  path: '/risk/users',
  tag: 'Risk',
  summary: 'List the users with the largest exposure, profit or loss',
  description: `The first ${MOST_RISKY_USERS} at most. Today is the day in UTC. All callers share an answer as of \`/risk/wagers\`.`,
  access: 'account',
  query: z.object({
    account_id: accountId,
    sort_by: z.enum(userRiskSorts).default('exposure').meta({
      description: 'The largest first; users who have none are left out. Ties stand by id.',
    }),
    limit: fields.integerText
      .pipe(z.int().min(1).max(MOST_RISKY_USERS))
      .default(MOST_RISKY_USERS)
      .meta({ description: 'How many to show. The totals are of all.' }),
  }),
  answer: z
    .strictObject({
      as_of: sharedMoment,
      profit_from: moment(
        'From then on transactions count in `profit_today`: the beginning of the day, or later on a day with more than 500,000.',
      ),
      totals: z.strictObject({
        exposed_users: count('How many users have an exposure.'),
        exposure: decimal('Their exposures together.'),
        won_today: decimal('The profits of today together.'),
        lost_today: decimal('The losses of today together.'),
      }),
      data: z.array(atRisk).max(MOST_RISKY_USERS),
    })
    .meta({
      id: 'UsersAtRisk',
      examples: [
        {
          as_of: '2026-01-15T18:40:00.000Z',
          profit_from: '2026-01-15T00:00:00.000Z',
          totals: { exposed_users: 1, exposure: 30, won_today: 5, lost_today: 5 },
          data: [example],
        },
      ],
    }),
  async handle({ query, caller }, { risk, database }) {
    const account = visibleAccount(caller, query.account_id);
    const { asOf, head, profitFrom, totals, users } = await risk.usersOf(account);
    noteAsOf({ database }, { accountId: account, head });
    return {
      as_of: asOf,
      profit_from: profitFrom,
      totals: {
        exposed_users: Number(totals.exposed),
        exposure: numberFromSum(BigInt(totals.exposure)),
        won_today: numberFromSum(BigInt(totals.won)),
        lost_today: numberFromSum(BigInt(totals.lost)),
      },
      data: sorted(users, keys[query.sort_by]).slice(0, query.limit).map(presentUser),
    };
  },
});
