import { z } from 'zod';
import { numberFromSum } from '#core/money.js';
import * as fields from '#http/fields.js';
import { type Database, withTx } from '#platform/database/database.js';
import { CURSOR_MALFORMED, CursorFault, cursorValues, encodeCursor } from '#reads/cursor.js';
import { type DayFigures, type DayOfUser, readDayOfUsers, readReconciliation } from '#reads/reconciliation.js';
import { endpoint } from '../../endpoint.js';
import { count, decimal, id, text } from '../../fields/answers.js';
import { accountId } from '../../fields/lists.js';
import { lineCursor, lineLimit } from '../../fields/periods.js';
import { visibleAccount } from '../../guards/visible-accounts.js';
import { auditVerdict, presentVerdict, verdictExample } from './verdict.js';

const USUAL_USERS = 100;

const reconciliationQuery = z
  .object({
    date: fields.day.meta({ description: 'A day, in UTC.', examples: ['2026-01-15'] }),
    include: z.enum(['users']).optional().meta({ description: 'Also the figures of each user, page by page.' }),
    per_page: lineLimit.meta({ description: `How many users to a page, at most 1000; ${USUAL_USERS}, unless given.` }),
    cursor: lineCursor,
    account_id: accountId,
  })
  .refine(({ include, cursor }) => include === 'users' || cursor === undefined, {
    path: ['cursor'],
    message: 'must be used with include=users',
    when: () => true,
  });
type ReconciliationQuery = z.output<typeof reconciliationQuery>;

const figures = {
  opening_balance: decimal('Before the first transaction of the day.'),
  closing_balance: decimal('After the last transaction of the day.'),
  funded: decimal('The sum of all money in.'),
  withdrawn: decimal('The sum of all money out, not negative.'),
  bet_credits: decimal(
    'The sum of what bets brought, before corrections: a payment that was taken back counts as well.',
  ),
  bet_debits: decimal('The sum of what bets cost, before corrections, not negative.'),
  corrected: decimal('What a provider corrected, with its sign; only on a day with a correction.').optional(),
  transactions: count('How many transactions there were.'),
};

const figuresExample = {
  opening_balance: 0,
  closing_balance: 100,
  funded: 100,
  withdrawn: 0,
  bet_credits: 0,
  bet_debits: 0,
  transactions: 1,
};

const dayOfUser = z
  .strictObject({
    user_id: id('The user.'),
    user_reference: text('The user, as the business calls it.'),
    ...figures,
    bet_net: decimal(
      'What bets brought and cost together, with its sign: a payment that was taken back is in neither.',
    ),
  })
  .meta({
    id: 'DayOfUser',
    description: 'What the statement of a user comes to for the day.',
    examples: [{ user_id: 12, user_reference: 'ann', ...figuresExample, bet_net: 0 }],
  });

const reconciliation = z
  .strictObject({
    date: text('The day, in UTC.'),
    ...figures,
    first_transaction_id: id('The lowest id of the day; null: no transaction.').nullable(),
    last_transaction_id: id('The highest id of the day; null: no transaction.').nullable(),
    open_exposure: decimal(
      'The exposures of all users: of a past day when its audit looked, of today now; null: no audit has looked.',
    ).nullable(),
    audit: auditVerdict
      .nullable()
      .meta({ description: 'The audit of the night after the day; null: it has not run yet.' }),
    last_audit: auditVerdict.nullable().meta({
      description: 'The newest audit that has closed a day of the account; null: none has. It comes without an event.',
    }),
    users: z.array(dayOfUser).optional(),
    next: z
      .string()
      .nullable()
      .optional()
      .meta({ description: 'The cursor of the next users; null: there are none.', examples: [null] }),
  })
  .meta({
    id: 'Reconciliation',
    description: 'What all transactions of an account come to on a day.',
    examples: [
      {
        date: '2026-01-15',
        ...figuresExample,
        first_transaction_id: 31,
        last_transaction_id: 31,
        open_exposure: 0,
        audit: verdictExample,
        last_audit: verdictExample,
      },
    ],
  });

const presentFigures = (day: DayFigures) => ({
  opening_balance: numberFromSum(day.openingBalance),
  closing_balance: numberFromSum(day.closingBalance),
  funded: numberFromSum(day.funded),
  withdrawn: numberFromSum(day.withdrawn),
  bet_credits: numberFromSum(day.betCredits),
  bet_debits: numberFromSum(day.betDebits),
  ...(day.corrected !== 0n && { corrected: numberFromSum(day.corrected) }),
  transactions: Number(day.transactions),
});

const presentUser = (user: DayOfUser): z.output<typeof dayOfUser> => ({
  user_id: Number(user.userId),
  user_reference: user.userReference,
  ...presentFigures(user),
  bet_net: numberFromSum(user.betCredits - user.betDebits),
});

const idOf = (value: bigint | null): number | null => (value === null ? null : Number(value));

function afterUserOf({ cursor }: ReconciliationQuery, scope: Record<string, unknown>): bigint {
  if (cursor === undefined || cursor === 'first') return 0n;
  const [afterUserId, ...more] = cursorValues(cursor, scope);
  if (typeof afterUserId !== 'bigint' || more.length > 0) throw new CursorFault(CURSOR_MALFORMED);
  return afterUserId;
}

/** The account and its users in one snapshot. */
function readDay(database: Database, account: bigint, query: ReconciliationQuery) {
  const { date: day, include, per_page: limit = USUAL_USERS } = query;
  const scope = { list: 'reconciliation', account, day };
  const afterUserId = afterUserOf(query, scope);
  return withTx(
    database.of(account),
    async (snapshot) => {
      const found = await readReconciliation(snapshot, account, day);
      if (include === undefined) return { found };
      // One more tells whether there is a next page.
      const users = await readDayOfUsers(snapshot, { accountId: account, day, afterUserId, limit: limit + 1 });
      const shown = users.slice(0, limit);
      const last = shown.at(-1);
      const next = last === undefined || users.length <= limit ? null : encodeCursor(scope, [last.userId]);
      return { found, users: { users: shown.map(presentUser), next } };
    },
    'RepeatableRead',
  );
}

export const reconciliationRead = endpoint({
  method: 'get',
  path: '/reconciliation',
  tag: 'Transactions',
  summary: 'Reconcile a day',
  description:
    'A past day is as the nightly audit has stored it. The figures of all users add up to those of the account, but on a day that ends between a fault and the correction of a balance. Each page is of its own moment, so a day that still runs may change between two pages.',
  access: 'account',
  isList: true,
  query: reconciliationQuery,
  answer: reconciliation,
  refusals: ['account-not-found'],
  async handle({ query, caller }, { database }) {
    const { found, users } = await readDay(database, visibleAccount(caller, query.account_id), query);
    const { openExposure, audit: verdict, lastAudit } = found;
    return {
      date: query.date,
      ...presentFigures(found),
      first_transaction_id: idOf(found.firstTransactionId),
      last_transaction_id: idOf(found.lastTransactionId),
      open_exposure: openExposure === null ? null : numberFromSum(openExposure),
      audit: verdict && presentVerdict(verdict),
      last_audit: lastAudit && presentVerdict(lastAudit),
      ...users,
    };
  },
});
