import type { PendingBetsNeed } from '#core/needs.js';
import type { Bet, Moment, Wager } from '#core/records.js';
import { timeOfAccount } from '#ledger/clock.js';
import { betOfText, betText, notePaidAmounts } from '#ledger/load-group.js';
import { joinLoneOffer } from '#ledger/lone-offers.js';
import { betsOfWager, isPendingSql, momentSql } from '#ledger/pending-bets.js';
import { wagerRow } from '#ledger/row-types.js';
import { Prisma, type Tx } from '#platform/database/database.js';
import { readBatches } from '#platform/database/read-batches.js';
import { queryRows, scalars } from '#platform/database/statements.js';
import type { StoredUser } from './user-sums.js';

// What a preview reads, all of one snapshot and without a lock.

interface PreviewedWager {
  readonly wager: Wager;
  readonly revision: number;
}

/** The first thing that a preview reads. */
interface PreviewStart {
  readonly asOf: Date;
  /** By the clock of the account. */
  readonly now: Moment;
  /** Of the account. */
  readonly decimals: number | null;
  readonly found: PreviewedWager | undefined;
}

interface StartRow extends Omit<PreviewStart, 'found'> {
  readonly wager: string | null;
}

const wagerText = Prisma.raw(wagerRow.textOf('w'));

/** The wager that an operation names, by its reference or by one of its bets. The first statement: it makes the snapshot. */
export async function readPreviewedWager(
  snapshot: Tx,
  accountId: bigint,
  { reference, betId }: { readonly reference: string | undefined; readonly betId: bigint | undefined },
): Promise<PreviewStart> {
  const named =
    reference === undefined
      ? Prisma.sql`w.id = (SELECT wager_id FROM bets WHERE account_id = ${accountId} AND id = ${betId ?? 0n})`
      : Prisma.sql`w.reference = ${reference}`;
  const [row] = await queryRows<StartRow>(
    snapshot,
    Prisma.sql`
    SELECT statement_timestamp() AS "asOf", (extract(epoch FROM ${timeOfAccount(Prisma.sql`${accountId}::bigint`)}) * 1000000)::bigint AS now,
           (SELECT decimals FROM accounts WHERE id = ${accountId}) AS decimals, CASE WHEN w.id IS NOT NULL THEN ${wagerText} END AS wager
      FROM (SELECT) AS one LEFT JOIN wagers w ON w.account_id = ${accountId} AND ${named}`,
  );
  if (row === undefined) throw new Error('a preview has no moment');
  const { wager: text, ...start } = row;
  if (text === null) return { ...start, found: undefined };
  const { accountId: _, ...wager } = wagerRow.read(text);
  return { ...start, found: { wager, revision: wager.revision } };
}

const pendingOf = (accountId: bigint, wager: Wager, { outcome, voidFrom }: PendingBetsNeed): Prisma.Sql => Prisma.sql`
  ${betsOfWager(Prisma.sql`${accountId}::bigint`, Prisma.sql`${wager.id}::bigint`)} b
   WHERE ${isPendingSql(Prisma.sql`b`, {
     outcome: Prisma.sql`${outcome ?? wager.outcome}`,
     voidFrom: Prisma.sql`least(${momentSql(voidFrom)}, ${momentSql(wager.voidFrom)})`,
   })}`;

/** How many bets the operation moves, counted up to `most`. */
export async function countMoving(
  snapshot: Tx,
  accountId: bigint,
  { wager, pending, most }: { wager: Wager; pending: PendingBetsNeed; most: number },
): Promise<number> {
  const rows = pendingOf(accountId, wager, pending);
  const [{ count }] = (await queryRows(
    snapshot,
    Prisma.sql`SELECT count(*)::int AS count FROM (SELECT FROM ${rows} LIMIT ${most}) counted`,
  )) as [{ count: number }];
  return count;
}

interface MovingBets {
  readonly wager: Wager;
  readonly pending: PendingBetsNeed;
  readonly batch: number;
}

/** The bets that the operation moves, by one statement. Undefined: they do not fit in one batch. */
export async function readFewMoving(
  snapshot: Tx,
  accountId: bigint,
  { wager, pending, batch }: MovingBets,
): Promise<readonly Bet[] | undefined> {
  const rows = pendingOf(accountId, wager, pending);
  const bets = await readAtOnce(snapshot, Prisma.sql`SELECT ${betText} AS bet FROM ${rows} LIMIT ${batch + 1}`);
  if (bets.length > batch) return undefined;
  await notePaidAmounts(snapshot, withAccount(accountId, bets));
  return bets.sort(inOrderOfMoves);
}

async function readAtOnce(snapshot: Tx, query: Prisma.Sql): Promise<Bet[]> {
  const rows = await queryRows<{ bet: string }>(snapshot, query);
  return rows.map(({ bet }) => betOfText(bet));
}

/** Unmatched ones first, then by id. */
const inOrderOfMoves = (one: Bet, other: Bet): number =>
  Number(one.acceptingUserId !== null) - Number(other.acceptingUserId !== null) || (one.id < other.id ? -1 : 1);

/** The bets that the operation moves, in the order in which it does. */
export async function* readMoving(
  snapshot: Tx,
  accountId: bigint,
  { wager, pending, batch }: MovingBets,
): AsyncGenerator<readonly Bet[]> {
  const rows = pendingOf(accountId, wager, pending);
  const query = Prisma.sql`SELECT ${betText} FROM ${rows} ORDER BY b.accepting_user_id IS NOT NULL, b.id`;
  for await (const texts of readBatches(snapshot, query, batch)) {
    const bets = texts.map(([text]) => betOfText(text ?? ''));
    await notePaidAmounts(snapshot, withAccount(accountId, bets));
    yield bets;
  }
}

export async function readNamedBets(snapshot: Tx, accountId: bigint, ids: readonly bigint[]): Promise<readonly Bet[]> {
  if (ids.length === 0) return [];
  const bets = await readAtOnce(
    snapshot,
    Prisma.sql`
    SELECT ${betText} AS bet FROM bets b WHERE b.account_id = ${accountId} AND b.id = ANY (${scalars(ids)}::bigint[])`,
  );
  await notePaidAmounts(snapshot, withAccount(accountId, bets));
  return bets;
}

const withAccount = (accountId: bigint, bets: readonly Bet[]) => bets.map((bet) => ({ accountId, bet }));

export const readUsers = (
  snapshot: Tx,
  accountId: bigint,
  { wagerId, ids }: { readonly wagerId: bigint; readonly ids: readonly bigint[] },
): Promise<StoredUser[]> =>
  queryRows<StoredUser>(
    snapshot,
    Prisma.sql`
    SELECT m.user_id AS "userId", m.balance, m.exposure, coalesce(stored.win, 0) AS win, coalesce(stored.loss, 0) AS loss,
           coalesce(stored.offered, lone.requesting_amount, 0) AS offered
      FROM balances m
      LEFT JOIN positions stored
             ON stored.account_id = m.account_id AND stored.user_id = m.user_id AND stored.wager_id = ${wagerId}
      ${joinLoneOffer(Prisma.sql`m.user_id`, Prisma.sql`${wagerId}`, accountId)}
     WHERE m.account_id = ${accountId} AND m.user_id = ANY (${scalars(ids)}::bigint[])`,
  );
