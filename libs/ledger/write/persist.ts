import { randomBytes } from 'node:crypto';
import type { Changes } from '#core/book.js';
import type { TrailEntry, Transaction } from '#core/records.js';
import { scalars, scalarsOf, texts, textsOf } from '#platform/database/array-literal.js';
import type { Tx } from '#platform/database/database.js';
import { storedAction } from '../load/wager-locks.js';

/** The changes of one account's Book. */
export interface AccountChanges extends Changes {
  readonly accountId: bigint;
}

export interface StoredTransaction {
  readonly id: bigint;
  readonly reference: string;
  readonly createdAt: Date;
}

export type StoredTransactions = Map<Transaction, StoredTransaction>;

const REFERENCE_BYTES = 12;

/** Random bytes cost less drawn for all at once. */
function newReferences(count: number): string[] {
  const drawn = randomBytes(REFERENCE_BYTES * count).toString('hex');
  const digits = REFERENCE_BYTES * 2;
  return Array.from({ length: count }, (_, index) => `TX_${drawn.slice(index * digits, (index + 1) * digits)}`);
}

/** All rows of a kind, of all accounts, as the columns of a statement. */
class Rows<Row> {
  readonly rows: Row[] = [];
  readonly #accountIds: bigint[] = [];

  constructor(all: readonly AccountChanges[], pick: (changes: Changes) => readonly Row[]) {
    for (const changes of all) {
      for (const row of pick(changes)) {
        this.rows.push(row);
        this.#accountIds.push(changes.accountId);
      }
    }
  }

  accountIds(): string {
    return scalars(this.#accountIds);
  }

  scalars(pick: (row: Row) => bigint | boolean | number | null): string {
    return scalarsOf(this.rows, pick);
  }

  texts(pick: (row: Row) => string | null): string {
    return textsOf(this.rows, pick);
  }
}

/**
 * Writes everything that a group of operations decided, in one statement however much it is. Trails get their ids
 * here, and each transaction the id of the trail entry that it hangs on, by its place in the list. Told back is what
 * was stored of money in and out; nobody asks for a bet's transactions.
 */
export async function persist(tx: Tx, all: readonly AccountChanges[]): Promise<StoredTransactions> {
  const newWagers = new Rows(all, (changes) => changes.insertedWagers);
  const changedWagers = new Rows(all, (changes) => changes.updatedWagers);
  const newBets = new Rows(all, (changes) => changes.insertedBets);
  const changedBets = new Rows(all, (changes) => changes.updatedBets);
  const users = new Rows(all, (changes) => changes.users);
  const positions = new Rows(all, (changes) => changes.positions);
  const trails = new Rows(all, (changes) => changes.trails);
  const moves = new Rows(all, (changes) => changes.transactions);
  const references = newReferences(moves.rows.length);
  const places = new Map<TrailEntry | null, number>(trails.rows.map((trail, index) => [trail, index + 1]));
  const stored = await tx.$queryRaw<StoredTransaction[]>`/* prepared: persist */
    WITH inserted_wagers AS (
      INSERT INTO wagers (account_id, id, reference, outcome)
      SELECT * FROM unnest(
        ${newWagers.accountIds()}::bigint[], ${newWagers.scalars((row) => row.id)}::bigint[],
        ${newWagers.texts((row) => row.reference)}::text[], ${newWagers.texts((row) => row.outcome)}::text[])
    ), updated_wagers AS (
      UPDATE wagers w SET outcome = n.outcome, forced_by = n.forced_by::jsonb, updated_at = now(),
             settling_since = CASE WHEN n.is_settling THEN coalesce(w.settling_since, now()) END
        FROM unnest(${changedWagers.accountIds()}::bigint[],
                    ${changedWagers.scalars((row) => row.id)}::bigint[],
                    ${changedWagers.texts((row) => row.outcome)}::text[],
                    ${changedWagers.texts(({ forcedBy }) => forcedBy && JSON.stringify(storedAction(forcedBy)))}::text[],
                    ${changedWagers.scalars((row) => row.isSettling)}::boolean[])
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
          ${newBets.accountIds()}::bigint[], ${newBets.scalars((row) => row.id)}::bigint[],
          ${newBets.scalars((row) => row.wagerId)}::bigint[], ${newBets.scalars((row) => row.requestingUserId)}::bigint[],
          ${newBets.scalars((row) => row.requestingOdds)}::bigint[],
          ${newBets.scalars((row) => row.requestingAmount)}::bigint[],
          ${newBets.scalars((row) => row.queuePlace)}::bigint[], ${newBets.texts((row) => row.offerStatus)}::text[],
          ${newBets.scalars((row) => row.acceptingUserId)}::bigint[],
          ${newBets.scalars((row) => row.effectiveOdds)}::bigint[],
          ${newBets.scalars((row) => row.effectiveAmount)}::bigint[],
          ${newBets.texts((row) => row.overrideOutcome)}::text[],
          ${newBets.texts((row) => row.settledOutcome)}::text[], ${newBets.scalars((row) => row.isActive)}::boolean[],
          ${newBets.texts((row) => scalars(row.allowedAcceptorIds))}::text[],
          ${newBets.texts((row) => (row.meta == null ? null : JSON.stringify(row.meta)))}::text[])
          AS n (account_id, id, wager_id, requesting_user_id, requesting_odds, requesting_amount, queue_place,
                offer_status, accepting_user_id, effective_odds, effective_amount, override_outcome, settled_outcome,
                is_active, allowed_acceptor_ids, meta)
    ), updated_bets AS (
      UPDATE bets b
         SET offer_status = n.offer_status, accepting_user_id = n.accepting_user_id, effective_odds = n.effective_odds,
             effective_amount = n.effective_amount, override_outcome = n.override_outcome,
             settled_outcome = n.settled_outcome, is_active = n.is_active, updated_at = now()
        FROM unnest(
          ${changedBets.accountIds()}::bigint[], ${changedBets.scalars((row) => row.id)}::bigint[],
          ${changedBets.texts((row) => row.offerStatus)}::text[],
          ${changedBets.scalars((row) => row.acceptingUserId)}::bigint[],
          ${changedBets.scalars((row) => row.effectiveOdds)}::bigint[],
          ${changedBets.scalars((row) => row.effectiveAmount)}::bigint[],
          ${changedBets.texts((row) => row.overrideOutcome)}::text[],
          ${changedBets.texts((row) => row.settledOutcome)}::text[],
          ${changedBets.scalars((row) => row.isActive)}::boolean[])
          AS n (account_id, id, offer_status, accepting_user_id, effective_odds, effective_amount, override_outcome,
                settled_outcome, is_active)
       WHERE b.account_id = n.account_id AND b.id = n.id
    ), updated_balances AS (
      UPDATE balances b SET balance = n.balance, exposure = n.exposure
        FROM unnest(${users.accountIds()}::bigint[], ${users.scalars((row) => row.id)}::bigint[],
                    ${users.scalars((row) => row.balance)}::bigint[], ${users.scalars((row) => row.exposure)}::bigint[])
             AS n (account_id, user_id, balance, exposure)
       WHERE b.account_id = n.account_id AND b.user_id = n.user_id
    ), moved_positions AS (
      INSERT INTO positions (account_id, user_id, wager_id, win, loss, offered)
      SELECT * FROM unnest(
        ${positions.accountIds()}::bigint[], ${positions.scalars((row) => row.userId)}::bigint[],
        ${positions.scalars((row) => row.wagerId)}::bigint[], ${positions.scalars((row) => row.win)}::bigint[],
        ${positions.scalars((row) => row.loss)}::bigint[], ${positions.scalars((row) => row.offered)}::bigint[])
      ON CONFLICT (account_id, user_id, wager_id)
        DO UPDATE SET win = excluded.win, loss = excluded.loss, offered = excluded.offered
    ), ids AS MATERIALIZED (
      SELECT array_agg(nextval('bet_trails_id_seq')) AS drawn FROM generate_series(1, ${trails.rows.length}::int)
    ), inserted_trails AS (
      INSERT INTO bet_trails (id, account_id, bet_id, wager_id, offer_status, description, outcome, override_outcome,
        requesting_odds, requesting_amount, accepting_odds, accepting_amount, effective_odds, effective_amount)
      SELECT drawn[n.place], n.account_id, n.bet_id, n.wager_id, n.offer_status, n.description, n.outcome,
             n.override_outcome, n.requesting_odds, n.requesting_amount, n.accepting_odds, n.accepting_amount,
             n.effective_odds, n.effective_amount FROM ids, unnest(
        ${trails.accountIds()}::bigint[], ${trails.scalars((trail) => trail.betId)}::bigint[],
        ${trails.scalars((trail) => trail.wagerId)}::bigint[],
        ${trails.texts((trail) => trail.offerStatus)}::text[],
        ${trails.texts((trail) => trail.description)}::text[],
        ${trails.texts((trail) => trail.outcome)}::text[],
        ${trails.texts((trail) => trail.overrideOutcome)}::text[],
        ${trails.scalars((trail) => trail.requestingOdds)}::bigint[],
        ${trails.scalars((trail) => trail.requestingAmount)}::bigint[],
        ${trails.scalars((trail) => trail.acceptingOdds)}::bigint[],
        ${trails.scalars((trail) => trail.acceptingAmount)}::bigint[],
        ${trails.scalars((trail) => trail.effectiveOdds)}::bigint[],
        ${trails.scalars((trail) => trail.effectiveAmount)}::bigint[])
        WITH ORDINALITY AS n (account_id, bet_id, wager_id, offer_status, description, outcome, override_outcome,
          requesting_odds, requesting_amount, accepting_odds, accepting_amount, effective_odds, effective_amount, place)
    ), inserted_transactions AS (
      INSERT INTO transactions (account_id, user_id, reference, amount, description, transaction_type,
        transaction_source, bet_trail_id)
      SELECT n.account_id, n.user_id, n.reference, n.amount, n.description, n.transaction_type, n.transaction_source,
             drawn[n.trail_place] FROM ids, unnest(
        ${moves.accountIds()}::bigint[], ${moves.scalars((move) => move.userId)}::bigint[],
        ${texts(references)}::text[], ${moves.scalars((move) => move.amount)}::bigint[],
        ${moves.texts((move) => move.description)}::text[],
        ${moves.texts((move) => move.transactionType)}::text[],
        ${moves.texts((move) => move.transactionSource)}::text[],
        ${moves.scalars((move) => places.get(move.trail) ?? null)}::bigint[])
        AS n (account_id, user_id, reference, amount, description, transaction_type, transaction_source, trail_place)
      RETURNING id, reference, created_at, bet_trail_id
    )
    SELECT id, reference, created_at AS "createdAt" FROM inserted_transactions WHERE bet_trail_id IS NULL`;
  const byReference = new Map(stored.map((row) => [row.reference, row]));
  return new Map(
    moves.rows.flatMap((move, index) => {
      const row = move.trail === null ? byReference.get(references[index] ?? '') : undefined;
      return row === undefined ? [] : [[move, row] as const];
    }),
  );
}
