import { randomBytes } from 'node:crypto';
import type { Changes } from '#core/book.js';
import type { Transaction as LedgerTransaction, TrailEntry } from '#core/records.js';
import type { Transaction } from '#database/database.js';
import { scalars, texts } from './array-literal.js';
import { storedAction } from './wager-locks.js';

/** The changes of one account's Book. */
export interface AccountChanges extends Changes {
  readonly accountId: bigint;
}

export interface StoredTransaction {
  readonly id: bigint;
  readonly reference: string;
  readonly createdAt: Date;
}

type OfAccount<Row> = Row & { readonly accountId: bigint };

const REFERENCE_BYTES = 12;

const newReference = () => `TX_${randomBytes(REFERENCE_BYTES).toString('hex')}`;

/** All rows of a kind, of all accounts, each with its account. */
function rowsOf<Row extends object>(all: readonly AccountChanges[], pick: (changes: Changes) => readonly Row[]) {
  return all.flatMap((changes) =>
    pick(changes).map((row): OfAccount<Row> => ({ accountId: changes.accountId, ...row })),
  );
}

const column = <Row>(rows: readonly Row[], pick: (row: Row) => bigint | boolean | number | null) =>
  scalars(rows.map(pick));
const textColumn = <Row>(rows: readonly Row[], pick: (row: Row) => string | null) => texts(rows.map(pick));

/**
 * Writes everything that a group of operations decided, in one statement however much it is. Trails get their ids
 * here, and each transaction the id of the trail entry that it hangs on, by its place in the list.
 */
export async function persist(
  transaction: Transaction,
  all: readonly AccountChanges[],
): Promise<Map<LedgerTransaction, StoredTransaction>> {
  const newWagers = rowsOf(all, (changes) => changes.insertedWagers);
  const changedWagers = rowsOf(all, (changes) => changes.updatedWagers);
  const newBets = rowsOf(all, (changes) => changes.insertedBets);
  const changedBets = rowsOf(all, (changes) => changes.updatedBets);
  const users = rowsOf(all, (changes) => changes.users);
  const positions = rowsOf(all, (changes) => changes.positions);
  const trails = all.flatMap(({ accountId, trails: entries }) => entries.map((entry) => ({ accountId, entry })));
  const moves = all.flatMap(({ accountId, transactions }) =>
    transactions.map((move) => ({ accountId, move, reference: newReference() })),
  );
  const places = new Map<TrailEntry, number>(trails.map(({ entry }, index) => [entry, index + 1]));
  const stored = await transaction.$queryRaw<StoredTransaction[]>`/* prepared: persist */
    WITH inserted_wagers AS (
      INSERT INTO wagers (account_id, id, reference, outcome)
      SELECT * FROM unnest(
        ${column(newWagers, (row) => row.accountId)}::bigint[], ${column(newWagers, (row) => row.id)}::bigint[],
        ${textColumn(newWagers, (row) => row.reference)}::text[], ${textColumn(newWagers, (row) => row.outcome)}::text[])
    ), updated_wagers AS (
      UPDATE wagers w SET outcome = n.outcome, forced_by = n.forced_by::jsonb, updated_at = now(),
             settling_since = CASE WHEN n.is_settling THEN coalesce(w.settling_since, now()) END
        FROM unnest(${column(changedWagers, (row) => row.accountId)}::bigint[],
                    ${column(changedWagers, (row) => row.id)}::bigint[],
                    ${textColumn(changedWagers, (row) => row.outcome)}::text[],
                    ${textColumn(changedWagers, ({ forcedBy }) => forcedBy && JSON.stringify(storedAction(forcedBy)))}::text[],
                    ${column(changedWagers, (row) => row.isSettling)}::boolean[])
                    AS n (account_id, id, outcome, forced_by, is_settling)
       WHERE w.account_id = n.account_id AND w.id = n.id
    ), inserted_bets AS (
      INSERT INTO bets (account_id, id, wager_id, requesting_user_id, requesting_odds, requesting_amount, queue_place,
                        offer_status, accepting_user_id, effective_odds, effective_amount, override_outcome,
                        settled_outcome, is_active, allowed_acceptor_ids, meta)
      SELECT n.account_id, n.id, n.wager_id, n.requesting_user_id, n.requesting_odds, n.requesting_amount, n.queue_place,
             n.offer_status, n.accepting_user_id, n.effective_odds, n.effective_amount, n.override_outcome,
             n.settled_outcome, n.is_active, n.allowed_acceptor_ids::bigint[], n.meta::jsonb
        FROM unnest(
          ${column(newBets, (row) => row.accountId)}::bigint[], ${column(newBets, (row) => row.id)}::bigint[],
          ${column(newBets, (row) => row.wagerId)}::bigint[], ${column(newBets, (row) => row.requestingUserId)}::bigint[],
          ${column(newBets, (row) => row.requestingOdds)}::bigint[],
          ${column(newBets, (row) => row.requestingAmount)}::bigint[],
          ${column(newBets, (row) => row.queuePlace)}::bigint[], ${textColumn(newBets, (row) => row.offerStatus)}::text[],
          ${column(newBets, (row) => row.acceptingUserId)}::bigint[],
          ${column(newBets, (row) => row.effectiveOdds)}::bigint[],
          ${column(newBets, (row) => row.effectiveAmount)}::bigint[],
          ${textColumn(newBets, (row) => row.overrideOutcome)}::text[],
          ${textColumn(newBets, (row) => row.settledOutcome)}::text[], ${column(newBets, (row) => row.isActive)}::boolean[],
          ${textColumn(newBets, (row) => scalars(row.allowedAcceptorIds))}::text[],
          ${textColumn(newBets, (row) => (row.meta == null ? null : JSON.stringify(row.meta)))}::text[])
          AS n (account_id, id, wager_id, requesting_user_id, requesting_odds, requesting_amount, queue_place,
                offer_status, accepting_user_id, effective_odds, effective_amount, override_outcome, settled_outcome,
                is_active, allowed_acceptor_ids, meta)
    ), updated_bets AS (
      UPDATE bets b
         SET offer_status = n.offer_status, accepting_user_id = n.accepting_user_id, effective_odds = n.effective_odds,
             effective_amount = n.effective_amount, override_outcome = n.override_outcome,
             settled_outcome = n.settled_outcome, is_active = n.is_active, updated_at = now()
        FROM unnest(
          ${column(changedBets, (row) => row.accountId)}::bigint[], ${column(changedBets, (row) => row.id)}::bigint[],
          ${textColumn(changedBets, (row) => row.offerStatus)}::text[],
          ${column(changedBets, (row) => row.acceptingUserId)}::bigint[],
          ${column(changedBets, (row) => row.effectiveOdds)}::bigint[],
          ${column(changedBets, (row) => row.effectiveAmount)}::bigint[],
          ${textColumn(changedBets, (row) => row.overrideOutcome)}::text[],
          ${textColumn(changedBets, (row) => row.settledOutcome)}::text[],
          ${column(changedBets, (row) => row.isActive)}::boolean[])
          AS n (account_id, id, offer_status, accepting_user_id, effective_odds, effective_amount, override_outcome,
                settled_outcome, is_active)
       WHERE b.account_id = n.account_id AND b.id = n.id
    ), updated_balances AS (
      UPDATE balances b SET balance = n.balance, exposure = n.exposure
        FROM unnest(${column(users, (row) => row.accountId)}::bigint[], ${column(users, (row) => row.id)}::bigint[],
                    ${column(users, (row) => row.balance)}::bigint[], ${column(users, (row) => row.exposure)}::bigint[])
             AS n (account_id, user_id, balance, exposure)
       WHERE b.account_id = n.account_id AND b.user_id = n.user_id
    ), moved_positions AS (
      INSERT INTO positions (account_id, user_id, wager_id, win, loss, offered)
      SELECT * FROM unnest(
        ${column(positions, (row) => row.accountId)}::bigint[], ${column(positions, (row) => row.userId)}::bigint[],
        ${column(positions, (row) => row.wagerId)}::bigint[], ${column(positions, (row) => row.win)}::bigint[],
        ${column(positions, (row) => row.loss)}::bigint[], ${column(positions, (row) => row.offered)}::bigint[])
      ON CONFLICT (account_id, user_id, wager_id)
        DO UPDATE SET win = excluded.win, loss = excluded.loss, offered = excluded.offered
    ), trails AS MATERIALIZED (
      SELECT nextval('bet_trails_id_seq') AS id, n.* FROM unnest(
        ${column(trails, ({ accountId }) => accountId)}::bigint[], ${column(trails, ({ entry }) => entry.betId)}::bigint[],
        ${column(trails, ({ entry }) => entry.wagerId)}::bigint[],
        ${textColumn(trails, ({ entry }) => entry.offerStatus)}::text[],
        ${textColumn(trails, ({ entry }) => entry.description)}::text[],
        ${textColumn(trails, ({ entry }) => entry.outcome)}::text[],
        ${textColumn(trails, ({ entry }) => entry.overrideOutcome)}::text[],
        ${column(trails, ({ entry }) => entry.requestingOdds)}::bigint[],
        ${column(trails, ({ entry }) => entry.requestingAmount)}::bigint[],
        ${column(trails, ({ entry }) => entry.acceptingOdds)}::bigint[],
        ${column(trails, ({ entry }) => entry.acceptingAmount)}::bigint[],
        ${column(trails, ({ entry }) => entry.effectiveOdds)}::bigint[],
        ${column(trails, ({ entry }) => entry.effectiveAmount)}::bigint[])
        WITH ORDINALITY AS n (account_id, bet_id, wager_id, offer_status, description, outcome, override_outcome,
          requesting_odds, requesting_amount, accepting_odds, accepting_amount, effective_odds, effective_amount, place)
    ), inserted_trails AS (
      INSERT INTO bet_trails (id, account_id, bet_id, wager_id, offer_status, description, outcome, override_outcome,
        requesting_odds, requesting_amount, accepting_odds, accepting_amount, effective_odds, effective_amount)
      SELECT id, account_id, bet_id, wager_id, offer_status, description, outcome, override_outcome,
        requesting_odds, requesting_amount, accepting_odds, accepting_amount, effective_odds, effective_amount FROM trails
    )
    INSERT INTO transactions (account_id, user_id, reference, amount, description, transaction_type, transaction_source,
                              bet_trail_id)
    SELECT n.account_id, n.user_id, n.reference, n.amount, n.description, n.transaction_type, n.transaction_source, t.id
      FROM unnest(
        ${column(moves, ({ accountId }) => accountId)}::bigint[], ${column(moves, ({ move }) => move.userId)}::bigint[],
        ${textColumn(moves, ({ reference }) => reference)}::text[], ${column(moves, ({ move }) => move.amount)}::bigint[],
        ${textColumn(moves, ({ move }) => move.description)}::text[],
        ${textColumn(moves, ({ move }) => move.transactionType)}::text[],
        ${textColumn(moves, ({ move }) => move.transactionSource)}::text[],
        ${column(moves, ({ move }) => (move.trail === null ? null : (places.get(move.trail) ?? null)))}::bigint[])
        AS n (account_id, user_id, reference, amount, description, transaction_type, transaction_source, trail_place)
      LEFT JOIN trails t ON t.place = n.trail_place
    RETURNING id, reference, created_at AS "createdAt"`;
  const byReference = new Map(stored.map((row) => [row.reference, row]));
  return new Map(moves.map(({ move, reference }) => [move, byReference.get(reference) as StoredTransaction]));
}
