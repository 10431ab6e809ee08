import { dateOf } from '#core/moment.js';
import { identityOfReference, isOfLedger, referenceColumn } from '#ledger/transaction-reference.js';
import { type AccountTables, type Database, Prisma, type Queryable, withTx } from '#platform/database/database.js';
import { hasSqlState } from '#platform/database/errors.js';
import { queryRows } from '#platform/database/statements.js';
import { findEvent } from './event-log.js';
import { literal } from './list-reader.js';

// Finds what a text names, whatever it is. What it names exactly is found by keys. Of users and wagers that contain it, the
// newest rows are looked at first: a common text is found there, with the newest at the top. Only a rare one is looked up in
// the trigram index, which has no order, and which reads every row that matches: so that has a bound and a time-out.

export const hitKinds = ['user', 'wager', 'bet', 'transaction', 'event'] as const;

export interface Hit {
  readonly kind: (typeof hitKinds)[number];
  /** Of an event its number. */
  readonly id: bigint;
  readonly reference: string | null;
  readonly detail: string | null;
  readonly createdAt: Date;
}

export interface Found {
  readonly hits: readonly Hit[];
  /** Whether others may match too. */
  readonly hasMore: boolean;
}

export const MOST_HITS = 20;
const HITS_OF_KIND = 10;
/** So many of the newest rows of a kind are looked at, and so many that the index names. */
const ROWS = 2_000;
const TIMEOUT_MS = 500;
const STATEMENT_CANCELED = '57014';
/** Without three letters or digits in a row, a text has no trigram. */
const HAS_TRIGRAM = /[\p{L}\p{N}]{3}/u;
const NUMBER = /^#?(\d{1,16})$/;

interface Named {
  readonly kind: 'user' | 'wager';
  readonly from: Prisma.Sql;
  readonly columns: Prisma.Sql;
  /** What the index is made of. */
  contains(text: string): Prisma.Sql;
}

/** `%` and `_` match themselves. */
const containing = (text: string): string => `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`;

const users: Named = {
  kind: 'user',
  from: Prisma.sql`users named`,
  columns: Prisma.sql`'user' AS kind, named.id, named.reference, named.name AS detail, named.created_at AS "createdAt"`,
  contains: (text) => Prisma.sql`named.search_text LIKE lower(${containing(text)})`,
};
const wagers: Named = {
  kind: 'wager',
  from: Prisma.sql`wagers named`,
  columns: Prisma.sql`'wager' AS kind, named.id, named.reference, named.event AS detail, named.created_at AS "createdAt"`,
  contains: (text) => Prisma.sql`named.reference ILIKE ${containing(text)}`,
};

/** What keys find: the text is the whole reference of a user or wager, the id of a bet, or either of a transaction. */
function exactParts(accountId: bigint, text: string): Prisma.Sql[] {
  const [, digits] = NUMBER.exec(text) ?? [];
  const id = digits === undefined ? undefined : BigInt(digits);
  const transactions = Prisma.sql`SELECT 'transaction', t.id, ${referenceColumn}, u.reference, t.created_at
    FROM transactions t JOIN users u ON u.account_id = t.account_id AND u.id = t.user_id
   WHERE t.account_id = ${accountId}`;
  const identity = identityOfReference(text);
  return [
    ...[users, wagers].map(
      ({ columns, from }) =>
        Prisma.sql`SELECT ${columns} FROM ${from} WHERE named.account_id = ${accountId} AND named.reference = ${text}`,
    ),
    Prisma.sql`(SELECT ${wagers.columns} FROM wagers named WHERE named.account_id = ${accountId} AND named.event = ${text}
      ORDER BY named.created_at DESC, named.id DESC LIMIT ${literal(HITS_OF_KIND)})`,
    ...(id === undefined
      ? []
      : [
          Prisma.sql`SELECT 'bet', b.id, NULL, w.reference, b.created_at
            FROM bets b JOIN wagers w ON w.account_id = b.account_id AND w.id = b.wager_id
           WHERE b.account_id = ${accountId} AND b.id = ${id}`,
          Prisma.sql`${transactions} AND t.id = ${id}`,
        ]),
    ...(identity === undefined
      ? []
      : [Prisma.sql`${transactions} AND t.id = ${identity.id} AND t.created_at = ${identity.createdAt}::timestamptz`]),
    ...(isOfLedger(text)
      ? []
      : [
          Prisma.sql`${transactions} AND t.id = (SELECT label.transaction_id FROM movement_labels label
            WHERE label.account_id = ${accountId} AND label.own_reference = ${text})`,
        ]),
  ];
}

async function eventNumbered(tables: AccountTables, accountId: bigint, text: string): Promise<Hit[]> {
  const [, digits] = NUMBER.exec(text) ?? [];
  const event = digits === undefined ? undefined : await findEvent(tables, accountId, BigInt(digits));
  if (event === undefined) return [];
  return [{ kind: 'event', id: event.seq, reference: null, detail: event.type, createdAt: dateOf(event.at) }];
}

interface Looked {
  readonly hits: Hit[];
  /** How many rows of the kind there were to look at. */
  readonly rows: number;
}

type LookedRow = { readonly rows: bigint } & { readonly [Field in keyof Hit]: Hit[Field] | null };

/** A row for each hit, with the number of the rows looked at; without a hit, one that has only that. */
async function lookAt(source: Queryable, looked: Prisma.Sql, named: Named, text: string) {
  const rows = await queryRows<LookedRow>(
    source,
    Prisma.sql`WITH looked AS MATERIALIZED (${looked}), counted AS (SELECT count(*) AS rows FROM looked)
    SELECT counted.rows, hit.* FROM counted LEFT JOIN LATERAL (
      SELECT ${named.columns} FROM looked named WHERE ${named.contains(text)}
       ORDER BY named.created_at DESC, named.id DESC LIMIT ${literal(HITS_OF_KIND)}) hit ON TRUE`,
  );
  const hits = rows.filter((row): row is LookedRow & Hit => row.id !== null);
  return { hits: hits.map(({ rows: _rows, ...hit }) => hit as Hit), rows: Number(rows[0]?.rows ?? 0) };
}

const newest = (tables: AccountTables, accountId: bigint, text: string, named: Named): Promise<Looked> =>
  lookAt(
    tables,
    Prisma.sql`SELECT named.* FROM ${named.from} WHERE named.account_id = ${accountId}
      ORDER BY named.created_at DESC, named.id DESC LIMIT ${literal(ROWS)}`,
    named,
    text,
  );

/** Undefined: it took too long. */
async function byTrigrams(
  tables: AccountTables,
  accountId: bigint,
  text: string,
  named: Named,
): Promise<Looked | undefined> {
  const looked = Prisma.sql`SELECT named.* FROM ${named.from}
    WHERE named.account_id = ${accountId} AND ${named.contains(text)} LIMIT ${literal(ROWS)}`;
  return withTx(tables, async (tx) => {
    // No statistics tell how many rows contain a text: all other ways could read every row of the account.
    await queryRows(
      tx,
      Prisma.sql`SELECT set_config('enable_seqscan', 'off', true), set_config('enable_indexscan', 'off', true),
        set_config('statement_timeout', '${literal(TIMEOUT_MS)}', true)`,
    );
    return lookAt(tx, looked, named, text);
  }).catch((error: unknown) => {
    if (hasSqlState(error, STATEMENT_CANCELED)) return undefined;
    throw error;
  });
}

async function containsText(tables: AccountTables, accountId: bigint, text: string, named: Named): Promise<Found> {
  const first = await newest(tables, accountId, text, named);
  const isFull = first.hits.length === HITS_OF_KIND;
  if (isFull || first.rows < ROWS) return { hits: first.hits, hasMore: isFull };
  if (!HAS_TRIGRAM.test(text)) return { hits: first.hits, hasMore: true };
  const all = await byTrigrams(tables, accountId, text, named);
  if (all === undefined) return { hits: first.hits, hasMore: true };
  const hits = [...first.hits, ...all.hits];
  return { hits, hasMore: all.rows === ROWS || all.hits.length === HITS_OF_KIND };
}

/** What the text names exactly comes first, then the newest. */
export async function searchLedger(database: Database, accountId: bigint, text: string): Promise<Found> {
  const tables = database.of(accountId);
  // Two at a time: a list's turn has two connections.
  const [exact, event] = await Promise.all([
    queryRows<Hit>(tables, Prisma.join(exactParts(accountId, text), ' UNION ALL ')),
    eventNumbered(tables, accountId, text),
  ]);
  const containing = await Promise.all([users, wagers].map((named) => containsText(tables, accountId, text, named)));
  const others = containing
    .flatMap(({ hits }) => hits)
    .sort((one, other) => other.createdAt.getTime() - one.createdAt.getTime() || Number(other.id - one.id));
  const hits = new Map([...exact, ...event, ...others].map((hit) => [`${hit.kind} ${hit.id}`, hit]));
  const hasMore = containing.some((found) => found.hasMore) || hits.size > MOST_HITS;
  return { hits: [...hits.values()].slice(0, MOST_HITS), hasMore };
}
