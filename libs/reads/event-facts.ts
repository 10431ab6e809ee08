import type { EventKind } from '#core/records.js';
import { transactionReference } from '#ledger/transaction-reference.js';
import type { AccountTables, Tx } from '#platform/database/database.js';
import { runPrepared, scalars, type TextRow } from '#platform/database/statements.js';
import { grouped, MAX_TRANSACTIONS_OF_TRAIL } from './bet-trails.js';
import type { EventTransaction, EventWager, LogEvent, LoggedMark } from './event.js';
import { labelJoin } from './read-transaction.js';
import { StoredEventBet, StoredEventTransaction, trailIdOf, wagerIdOf } from './stored-event-facts.js';

// What events show is read from rows that never change, so it needs no snapshot.

const isOfBet = ({ type }: LoggedMark): boolean => type.startsWith('offer.') || type.startsWith('bet.');
const isOfWager = ({ type }: LoggedMark): boolean => type.startsWith('wager.');
/** The transactions of a step belong to the event that says what they are for. */
const movesMoney: ReadonlySet<EventKind> = new Set<EventKind>(['bet.settled', 'bet.unsettled']);

const NONE: readonly EventTransaction[] = [];

const refsOf = (marks: readonly LoggedMark[]): bigint[] => [...new Set(marks.map(({ ref }) => ref))];

/** Its columns are those of `StoredEventBet`. */
const BETS = `
  SELECT t.id, t.bet_id, t.wager_id, t.offer_status, t.outcome, t.override_outcome, b.requesting_user_id,
         t.requesting_odds, t.requesting_amount, CASE WHEN t.effective_amount IS NOT NULL THEN b.accepting_user_id END,
         t.effective_odds, t.effective_amount, b.allowed_acceptor_ids, b.queue_place,
         b.created_at AT TIME ZONE 'UTC', b.is_active, b.meta::text, b.cancel_on_suspend
    FROM unnest($1::bigint[]) AS wanted (id)
    JOIN bet_trails t ON t.account_id = $2::bigint AND t.id = wanted.id
    JOIN bets b ON b.account_id = $2::bigint AND b.id = t.bet_id`;

/** Those of `StoredEventTransaction`. */
const transactionColumns = `t.id, t.bet_trail_id, t.user_id, ${transactionReference('t')}, t.amount, t.description, t.transaction_type,
  t.transaction_source, t.balance_after`;
const TRANSACTIONS = `
  SELECT ${transactionColumns}, label.own_reference, label.meta::text FROM unnest($1::bigint[]) AS wanted (id)
    JOIN transactions t ON t.account_id = $3::bigint AND t.id = wanted.id
    ${labelJoin}
  UNION ALL
  SELECT ${transactionColumns}, NULL, NULL FROM unnest($2::bigint[]) AS wanted (id)
    JOIN bet_trails r ON r.account_id = $3::bigint AND r.id = wanted.id
   CROSS JOIN LATERAL (
     SELECT m.* FROM transactions m
      WHERE m.account_id = $3::bigint AND m.id BETWEEN r.first_transaction_id AND r.last_transaction_id
        AND m.bet_trail_id = r.id
      LIMIT ${MAX_TRANSACTIONS_OF_TRAIL}) t
   ORDER BY 1`;

const WAGERS = `SELECT id, reference FROM wagers WHERE account_id = $2::bigint AND id = ANY ($1::bigint[])`;

async function readBets(
  tables: AccountTables | Tx,
  accountId: bigint,
  trailIds: readonly bigint[],
): Promise<TextRow[]> {
  if (trailIds.length === 0) return [];
  return runPrepared(tables, { name: 'bets of events', text: BETS, values: [scalars(trailIds), String(accountId)] });
}

async function readTransactions(
  tables: AccountTables | Tx,
  accountId: bigint,
  { ids, trailIds }: { readonly ids: readonly bigint[]; readonly trailIds: readonly bigint[] },
): Promise<EventTransaction[]> {
  if (ids.length === 0 && trailIds.length === 0) return [];
  const values = [scalars(ids), scalars(trailIds), String(accountId)];
  const rows = await runPrepared(tables, { name: 'transactions of events', text: TRANSACTIONS, values });
  return rows.map((row) => new StoredEventTransaction(row));
}

async function readWagers(
  tables: AccountTables | Tx,
  accountId: bigint,
  ids: ReadonlySet<bigint>,
): Promise<Map<bigint, EventWager>> {
  if (ids.size === 0) return new Map();
  const values = [scalars([...ids]), String(accountId)];
  const rows = await runPrepared(tables, { name: 'wagers of events', text: WAGERS, values });
  return new Map(
    rows.map(([text = '', reference]) => {
      const id = BigInt(text as string);
      return [id, { id, reference: reference as string }];
    }),
  );
}

/** The events of these marks, in their order. */
export async function readEvents(
  tables: AccountTables | Tx,
  accountId: bigint,
  marks: readonly LoggedMark[],
): Promise<LogEvent[]> {
  const ofBets = marks.filter(isOfBet);
  const bets = await readBets(tables, accountId, refsOf(ofBets));
  const transactions = await readTransactions(tables, accountId, {
    ids: refsOf(marks.filter(({ type }) => type === 'transaction.created')),
    trailIds: refsOf(ofBets.filter(({ type }) => movesMoney.has(type))),
  });
  // A page has few wagers: joined, each of its bets would look one up.
  const ofWagers = new Set([...refsOf(marks.filter(isOfWager)), ...bets.map(wagerIdOf)]);
  const wagerOf = await readWagers(tables, accountId, ofWagers);
  const betOf = new Map(bets.map((row) => [trailIdOf(row), new StoredEventBet(row, wagerOf)]));
  const moneyOf = new Map(transactions.filter(({ betTrailId }) => betTrailId === null).map((one) => [one.id, [one]]));
  const ofTrail = grouped(transactions, ({ betTrailId }) => betTrailId);
  return marks.map((mark): LogEvent => {
    if (mark.type === 'transaction.created') return shown(mark, { transactions: moneyOf.get(mark.ref) ?? [] });
    if (isOfWager(mark)) return shown(mark, { wager: wagerOf.get(mark.ref) });
    if (!isOfBet(mark)) return shown(mark, {});
    return shown(mark, {
      bet: betOf.get(mark.ref),
      transactions: movesMoney.has(mark.type) ? (ofTrail.get(mark.ref) ?? []) : [],
    });
  });
}

const shown = (mark: LoggedMark, facts: Partial<Pick<LogEvent, 'bet' | 'wager' | 'transactions'>>): LogEvent => {
  const { seq, at, kind, ref, type, extra, firstSeq, lastSeq, actor, requestId } = mark;
  const { bet, wager, transactions = NONE } = facts;
  return { seq, at, kind, ref, type, extra, firstSeq, lastSeq, actor, requestId, bet, wager, transactions };
};
