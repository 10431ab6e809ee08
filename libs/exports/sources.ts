import { transactionReference } from '#ledger/transaction-reference.js';
import { Prisma, type Tx } from '#platform/database/database.js';
import { readBatches } from '#platform/database/read-batches.js';
import type { TextRow } from '#platform/database/statements.js';
import type { Cell, ColumnType, FileColumn, FileRow } from '#reads/files/columns.js';
import { labelJoin } from '#reads/read-transaction.js';
import { countLines, openStatement, type Statement, streamLines } from '#reads/statement.js';
import { closingCells, lineCells, openingCells, statementColumns } from '#reads/statement-file.js';
import type { Export, ExportKind } from './export.js';

/** What an export reads, and in which order. */
type ExportScope = Pick<Export, 'accountId' | 'userId' | 'periodStart' | 'periodEnd'>;

/** Where the lines of a kind of export come from. Every read is of the snapshot of the transaction. */
export interface ExportSource {
  readonly columns: readonly FileColumn[];
  count(tx: Tx, scope: ExportScope): Promise<bigint>;
  batches(tx: Tx, scope: ExportScope): AsyncIterable<readonly FileRow[]>;
}

/** A batch is formatted in a few milliseconds: the worker's other jobs do not wait longer. */
const ROWS_OF_BATCH = 1_000;

interface SqlColumn extends FileColumn {
  readonly sql: string;
}

const column = (name: string, type: ColumnType, sql: string): SqlColumn => ({
  name,
  type,
  // Whole milliseconds, as times are stored.
  sql: type === 'moment' ? `(extract(epoch FROM ${sql}) * 1000)::bigint` : sql,
});

const transactionColumns: readonly SqlColumn[] = [
  column('id', 'id', 't.id'),
  column('account_id', 'id', 't.account_id'),
  column('user_id', 'id', 't.user_id'),
  column('user_reference', 'text', 'u.reference'),
  column('reference', 'text', transactionReference('t')),
  column('amount', 'decimal', 't.amount'),
  column('description', 'text', 't.description'),
  column('transaction_type', 'text', 't.transaction_type'),
  column('transaction_source', 'text', 't.transaction_source'),
  column('bet_trail_id', 'id', 't.bet_trail_id'),
  column('balance_after', 'decimal', 't.balance_after'),
  column('created_at', 'moment', 't.created_at'),
  column('bet_id', 'id', 'r.bet_id'),
  column('wager_reference', 'text', 'w.reference'),
  column('own_reference', 'text', 'label.own_reference'),
  column('meta', 'text', 'label.meta::text'),
];

const betColumns: readonly SqlColumn[] = [
  column('id', 'id', 'b.id'),
  column('account_id', 'id', 'b.account_id'),
  column('offer_status', 'text', 'b.offer_status'),
  column('wager_id', 'id', 'b.wager_id'),
  column('wager_reference', 'text', 'w.reference'),
  column('wager_outcome', 'text', 'w.outcome'),
  column('requesting_user_id', 'id', 'b.requesting_user_id'),
  column('requesting_user_reference', 'text', 'requesting.reference'),
  column('accepting_user_id', 'id', 'b.accepting_user_id'),
  column('accepting_user_reference', 'text', 'accepting.reference'),
  column('requesting_odds', 'decimal', 'b.requesting_odds'),
  column('requesting_amount', 'decimal', 'b.requesting_amount'),
  column('allowed_acceptor_ids', 'text', `nullif(array_to_string(b.allowed_acceptor_ids, ' '), '')`),
  column('effective_odds', 'decimal', 'b.effective_odds'),
  column('effective_amount', 'decimal', 'b.effective_amount'),
  column('override_outcome', 'text', 'b.override_outcome'),
  column('is_active', 'flag', 'b.is_active'),
  column('created_at', 'moment', 'b.created_at'),
  column('expires_at', 'moment', `date_trunc('milliseconds', b.expires_at)`),
  column('accepted_at', 'moment', `date_trunc('milliseconds', b.accepted_at)`),
  column('meta', 'text', 'b.meta::text'),
];

/** The rows of one account and period. */
const inScope = ({ accountId, periodStart, periodEnd }: ExportScope) =>
  Prisma.sql`account_id = ${accountId} AND created_at >= ${periodStart} AND created_at < ${periodEnd}`;

const transactionsIn = (scope: ExportScope): Prisma.Sql => Prisma.sql`
  SELECT * FROM transactions WHERE ${inScope(scope)}
  ${scope.userId === null ? Prisma.empty : Prisma.sql`AND user_id = ${scope.userId}`}`;

/** Each part is in the order of an index of its own, so PostgreSQL merges them without a sort. */
function betsIn(scope: ExportScope): Prisma.Sql {
  const { userId } = scope;
  const ofUser =
    userId === null ? Prisma.empty : Prisma.sql`AND (requesting_user_id = ${userId} OR accepting_user_id = ${userId})`;
  return Prisma.sql`
    SELECT * FROM bets WHERE ${inScope(scope)} AND offer_status = 'requesting' AND is_active ${ofUser}
    UNION ALL
    SELECT * FROM bets WHERE ${inScope(scope)} AND NOT (offer_status = 'requesting' AND is_active) ${ofUser}`;
}

const readers: Readonly<Record<ColumnType, (text: string) => Cell>> = {
  id: BigInt,
  decimal: BigInt,
  moment: (text) => new Date(Number(text)),
  text: (text) => text,
  flag: (text) => text === 't',
};

const cellsOf = (columns: readonly SqlColumn[]) => {
  const ofColumns = columns.map(({ type }) => readers[type]);
  return (row: TextRow): FileRow =>
    row.map((text, index) => (text === null ? null : (ofColumns[index] as (text: string) => Cell)(text)));
};

/** A source of one table, the oldest first. */
function tableSource(
  columns: readonly SqlColumn[],
  { rows, alias, joins }: { rows: (scope: ExportScope) => Prisma.Sql; alias: string; joins: string },
): ExportSource {
  const [table, selected] = [Prisma.raw(alias), Prisma.raw(columns.map(({ sql }) => sql).join(', '))];
  const toCells = cellsOf(columns);
  return {
    columns,
    async count(tx, scope) {
      const [{ count }] = await tx.$queryRaw<[{ count: bigint }]>`SELECT count(*) FROM (${rows(scope)}) AS counted`;
      return count;
    },
    async *batches(tx, scope) {
      const query = Prisma.sql`SELECT ${selected} FROM (${rows(scope)}) AS ${table} ${Prisma.raw(joins)}
        ORDER BY ${table}.created_at, ${table}.id`;
      for await (const batch of readBatches(tx, query, ROWS_OF_BATCH)) yield batch.map(toCells);
    },
  };
}

const openedIn = (tx: Tx, { accountId, userId, periodStart, periodEnd }: ExportScope): Promise<Statement> =>
  openStatement(tx, { accountId, user: { id: userId as bigint }, from: periodStart, to: periodEnd });

/** The lines of a user's statement, between its opening and its closing balance. */
const statementSource: ExportSource = {
  columns: statementColumns,
  count: async (tx, scope) => (await countLines(tx, await openedIn(tx, scope))) + 2n,
  async *batches(tx, scope) {
    const statement = await openedIn(tx, scope);
    yield [openingCells(statement)];
    for await (const lines of streamLines(tx, statement)) yield lines.map(lineCells);
    yield [closingCells(statement)];
  },
};

export const exportSources: Readonly<Record<ExportKind, ExportSource>> = {
  transactions: tableSource(transactionColumns, {
    rows: transactionsIn,
    alias: 't',
    joins: `JOIN users u ON u.account_id = t.account_id AND u.id = t.user_id
      LEFT JOIN bet_trails r ON r.account_id = t.account_id AND r.id = t.bet_trail_id
      LEFT JOIN wagers w ON w.account_id = r.account_id AND w.id = r.wager_id ${labelJoin}`,
  }),
  bets: tableSource(betColumns, {
    rows: betsIn,
    alias: 'b',
    joins: `JOIN wagers w ON w.account_id = b.account_id AND w.id = b.wager_id
      JOIN users requesting ON requesting.account_id = b.account_id AND requesting.id = b.requesting_user_id
      LEFT JOIN users accepting ON accepting.account_id = b.account_id AND accepting.id = b.accepting_user_id`,
  }),
  statement: statementSource,
};
