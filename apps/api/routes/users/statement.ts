import { z } from 'zod';
import { numberFromMicros, numberFromSum } from '#core/money.js';
import { TextAnswer } from '#http/answer.js';
import { type AccountTables, type Tx, withTx } from '#platform/database/database.js';
import { Refusal } from '#platform/errors/refusal.js';
import { fittingCount, MAX_PAGE_BYTES } from '#platform/quotas/answer-size.js';
import { type CursorScope, cursorValues, encodeCursor } from '#reads/cursor.js';
import type { FileRow } from '#reads/files/columns.js';
import { csvHeader, csvLines } from '#reads/files/csv.js';
import {
  type LineOrder,
  openStatement,
  readLines,
  type Statement,
  type StatementLine,
  type StatementRequest,
  startOf,
  streamLines,
} from '#reads/statement.js';
import { cursorValuesOf, resume } from '#reads/statement-cursor.js';
import { closingCells, lineCells, openingCells, statementColumns } from '#reads/statement-file.js';
import { endpoint } from '../../endpoint.js';
import { decimal, id, moment, text } from '../../fields/answers.js';
import { transactionSource, transactionType } from '../../fields/enums.js';
import { accountId, sortDirection } from '../../fields/lists.js';
import {
  boundsOf,
  createdPeriodFields,
  lineCursor,
  lineLimit,
  periodFields,
  periodOf,
  withPeriod,
} from '../../fields/periods.js';
import { visibleAccount } from '../../guards/visible-accounts.js';
import { labelFieldsOf, shownLabel } from '../transactions/transaction.js';
import { holdings, holdingsFields, readHoldings, withHoldings } from './holdings.js';
import { userReferencePath } from './user.js';

const USUAL_LINES = 100;
/** A CSV without `per_page` has the whole period. A longer one is a matter for an export. */
const MAX_CSV_LINES = 10_000;

const statementQuery = withPeriod(
  withHoldings(
    z.object({
      ...periodFields,
      ...createdPeriodFields,
      per_page: lineLimit.meta({
        description: `How many lines to a page, at most 1000; ${USUAL_LINES}, unless given. A CSV without \`per_page\` and \`cursor\` has all lines.`,
      }),
      cursor: lineCursor,
      format: z.enum(['json', 'csv']).optional().meta({
        description: 'JSON, unless given. A CSV begins and ends with a line of the opening and the closing balance.',
      }),
      sort_direction: sortDirection.meta({ description: 'Of the lines: the oldest or the newest first.' }),
      transaction_source: transactionSource
        .optional()
        .meta({ description: 'Only lines of this source. Balances and sums are of all lines.' }),
      ...holdingsFields,
      account_id: accountId,
    }),
  ),
).refine(
  ({ format, sort_direction: direction, transaction_source: source }) =>
    format !== 'csv' || (direction === 'asc' && source === undefined),
  { path: ['format'], message: 'must not be csv with sort_direction=desc or transaction_source' },
);
type StatementQuery = z.output<typeof statementQuery>;

const lineExample = {
  id: 31,
  at: '2026-01-15T18:35:00.000Z',
  reference: 'TX_019bc2f0a3801f',
  type: 'credit',
  source: 'funding',
  amount: 100,
  signed_amount: 100,
  balance: 100,
  wager_reference: null,
  bet_id: null,
  description: 'Balance funded',
};

const line = z
  .strictObject({
    id: id('The id of the transaction.'),
    at: moment('When the balance moved.'),
    reference: text('The reference of the transaction.'),
    type: transactionType,
    source: transactionSource,
    amount: decimal('Never negative: the type says which way it went.'),
    signed_amount: decimal('Negative for a debit.'),
    balance: decimal('The balance after it.'),
    wager_reference: text('The wager of the bet that moved it; null: money in or out.').nullable(),
    bet_id: id('The bet that moved it; null: money in or out.').nullable(),
    description: text('What it was for.'),
    ...shownLabel,
  })
  .meta({
    id: 'StatementLine',
    examples: [lineExample],
  });

const statement = z
  .strictObject({
    user: text('The user, as the business calls it.'),
    from: moment('The first moment of the period.'),
    to: moment('The moment behind the period.'),
    as_of: moment('The moment of the first page: all pages of a walk are of it.'),
    opening_balance: decimal('Before the first transaction of the period.'),
    closing_balance: decimal('After the last transaction of the period.'),
    credits: decimal('The sum of all credits of the period.'),
    debits: decimal('The sum of all debits of the period, not negative.'),
    bet_net: decimal('What bets brought in the period, less what they cost.'),
    lines: z.array(line),
    next: z.string().nullable().meta({ description: 'The cursor of the next page; null: there is none.' }),
    holdings: holdings.optional().meta({ description: 'With `include=holdings`.' }),
  })
  .meta({
    id: 'Statement',
    description: 'The transactions of a user in a period, with the balance after each.',
    examples: [
      {
        user: 'ann',
        from: '2026-01-01T00:00:00.000Z',
        to: '2026-02-01T00:00:00.000Z',
        as_of: '2026-02-03T09:00:00.000Z',
        opening_balance: 0,
        closing_balance: 100,
        credits: 100,
        debits: 0,
        bet_net: 0,
        lines: [lineExample],
        next: null,
      },
    ],
  });

/** What must be the same in all requests of a walk. */
const scopeOf = (account: bigint, reference: string, query: StatementQuery): CursorScope => ({
  list: 'statement',
  account,
  reference,
  ...boundsOf(query),
  direction: query.sort_direction,
  source: query.transaction_source,
});

const orderOf = ({ sort_direction, transaction_source: source }: StatementQuery): LineOrder => ({
  isNewestFirst: sort_direction === 'desc',
  source,
});

interface StatementPage {
  readonly opened: Statement;
  readonly lines: readonly StatementLine[];
  readonly next: string | null;
}

async function readPage(
  tables: AccountTables | Tx,
  accountId: bigint,
  reference: string,
  query: StatementQuery,
): Promise<StatementPage> {
  const { cursor, per_page: limit = USUAL_LINES } = query;
  const [scope, order] = [scopeOf(accountId, reference, query), orderOf(query)];
  const { opened, after } =
    cursor === undefined || cursor === 'first'
      ? startIn(await openStatement(tables, { accountId, user: { reference }, ...periodOf(query) }), order)
      : resume({ accountId, userReference: reference }, cursorValues(cursor, scope));
  // One more tells whether there is a next page.
  const found = await readLines(tables, opened, after, limit + 1, order);
  const lines = found.slice(0, Math.min(limit, fittingCount(found, bytesOfLine)));
  const last = lines.at(-1);
  const isLast = last === undefined || found.length === lines.length;
  const next = isLast ? null : encodeCursor(scope, cursorValuesOf(opened, last));
  return { opened, lines, next };
}

/** Names and values of all fields whose length does not vary much. */
const LINE_BYTES = 500;
/** Of a character, in UTF-8. */
const CHARACTER_BYTES = 3;

/** As JSON or CSV, at most. */
const bytesOfLine = ({ description, wagerReference, ownReference, meta }: StatementLine): number => {
  const texts = description.length + (wagerReference?.length ?? 0) + (ownReference?.length ?? 0);
  return LINE_BYTES + CHARACTER_BYTES * (texts + (meta === null ? 0 : JSON.stringify(meta).length));
};

const startIn = (opened: Statement, order: LineOrder) => ({ opened, after: startOf(opened, order) });

function presentLine(found: StatementLine): z.output<typeof line> {
  return {
    id: Number(found.id),
    at: found.at,
    reference: found.reference,
    type: found.type,
    source: found.source,
    amount: numberFromMicros(found.amount),
    signed_amount: numberFromMicros(found.signedAmount),
    balance: numberFromMicros(found.balance),
    wager_reference: found.wagerReference,
    bet_id: found.betId === null ? null : Number(found.betId),
    description: found.description,
    ...labelFieldsOf(found),
  };
}

const presentPage = ({ opened, lines, next }: StatementPage): z.output<typeof statement> => ({
  user: opened.userReference,
  from: opened.from,
  to: opened.to,
  as_of: opened.asOf,
  opening_balance: numberFromMicros(opened.openingBalance),
  closing_balance: numberFromMicros(opened.closingBalance),
  credits: numberFromSum(opened.credits),
  debits: numberFromSum(opened.debits),
  bet_net: numberFromSum(opened.betNet),
  lines: lines.map(presentLine),
  next,
});

const csvOf = (opened: Statement, lines: string): string =>
  [csvHeader(statementColumns), cellsAsCsv([openingCells(opened)]), lines, cellsAsCsv([closingCells(opened)])].join('');

const cellsAsCsv = (rows: readonly FileRow[]): string => csvLines(statementColumns, rows);

/** All lines, or none when there are too many. */
async function readWholeCsv(tables: AccountTables | Tx, request: StatementRequest): Promise<string> {
  const opened = await openStatement(tables, request);
  const portions: string[] = [];
  let [count, bytes] = [0, 0];
  for await (const lines of streamLines(tables, opened)) {
    count += lines.length;
    const portion = cellsAsCsv(lines.map(lineCells));
    bytes += Buffer.byteLength(portion);
    if (count > MAX_CSV_LINES || bytes > MAX_PAGE_BYTES) throw new Refusal('statement-too-long');
    portions.push(portion);
  }
  return csvOf(opened, portions.join(''));
}

const CSV = 'text/csv; charset=utf-8';
const CSV_EXAMPLE = csvHeader(statementColumns);
const asFile = { 'Content-Disposition': 'attachment; filename="statement.csv"' };

function nextLink(reference: string, query: StatementQuery, next: string): string {
  const { per_page: limit = USUAL_LINES, account_id: account } = query;
  const { from, to } = boundsOf(query);
  const given = { from: from?.toISOString(), to: to?.toISOString(), account_id: account?.toString() };
  const known = Object.entries(given).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const parameters = new URLSearchParams([...known, ['per_page', String(limit)], ['format', 'csv'], ['cursor', next]]);
  return `</account/user/${encodeURIComponent(reference)}/statement?${parameters}>; rel="next"`;
}

async function answerCsv(
  tables: AccountTables | Tx,
  accountId: bigint,
  reference: string,
  query: StatementQuery,
): Promise<TextAnswer> {
  if (query.per_page === undefined && query.cursor === undefined) {
    const request = { accountId, user: { reference }, ...periodOf(query) };
    return new TextAnswer(CSV, await readWholeCsv(tables, request), asFile);
  }
  const { opened, lines, next } = await readPage(tables, accountId, reference, query);
  const link = next === null ? {} : { Link: nextLink(reference, query, next) };
  return new TextAnswer(CSV, csvOf(opened, cellsAsCsv(lines.map(lineCells))), { ...asFile, ...link });
}

export const userStatement = endpoint({
  method: 'get',
  path: '/account/user/:reference/statement',
  tag: 'Users',
  summary: 'Read the statement of a user',
  description:
    'The transactions of a period, the oldest first unless asked otherwise, with the balance after each. The balances and sums are of the whole period on every page, and the closing balance of a period is the opening balance of the next. As CSV it begins and ends with a line of the opening and the closing balance; the header `Link` names the next page.',
  access: 'account',
  isList: true,
  params: userReferencePath,
  query: statementQuery,
  answer: statement,
  textAnswer: { contentType: 'text/csv', description: 'With a header line, as RFC 4180 says.', example: CSV_EXAMPLE },
  refusals: ['user-not-found', 'statement-too-long'],
  async handle({ params: { reference }, query, caller }, { database }) {
    const account = visibleAccount(caller, query.account_id);
    const tables = database.of(account);
    if (query.format === 'csv') return answerCsv(tables, account, reference, query);
    if (query.include === undefined) return presentPage(await readPage(tables, account, reference, query));
    return withTx(
      tables,
      async (snapshot) => ({
        ...presentPage(await readPage(snapshot, account, reference, query)),
        holdings: await readHoldings(snapshot, account, reference, query),
      }),
      'RepeatableRead',
    );
  },
});
