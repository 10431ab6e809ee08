import { randomBytes } from 'node:crypto';
import type { Changes } from '#core/changes.js';
import type { Bet, Position, TrailEntry, Transaction, User, Wager } from '#core/records.js';
import { scalars, scalarsOf, texts, textsOf } from '#platform/database/array-literal.js';
import { Prisma, type Tx } from '#platform/database/database.js';
import { storedAdminAction } from '../load/wager-locks.js';
import { pendingCancelsJson } from '../pending-cancels.js';

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

/** The rows of one kind, of all accounts, as the columns of a statement. */
class Columns<Item> {
  readonly items: Item[] = [];
  readonly #accountIds: bigint[] = [];

  constructor(all: readonly AccountChanges[], pick: (changes: Changes) => readonly Item[]) {
    for (const changes of all) {
      for (const item of pick(changes)) {
        this.items.push(item);
        this.#accountIds.push(changes.accountId);
      }
    }
  }

  accountIds(): Prisma.Sql {
    return Prisma.sql`${scalars(this.#accountIds)}::bigint[]`;
  }

  bigints(pick: (item: Item) => bigint | number | null): Prisma.Sql {
    return Prisma.sql`${scalarsOf(this.items, pick)}::bigint[]`;
  }

  booleans(pick: (item: Item) => boolean): Prisma.Sql {
    return Prisma.sql`${scalarsOf(this.items, pick)}::boolean[]`;
  }

  texts(pick: (item: Item) => string | null): Prisma.Sql {
    return Prisma.sql`${textsOf(this.items, pick)}::text[]`;
  }
}

const forcedByJson = ({ forcedBy }: Wager): string | null => forcedBy && JSON.stringify(storedAdminAction(forcedBy));

const insertWagers = (wagers: Columns<Wager>): Prisma.Sql => Prisma.sql`
  INSERT INTO wagers (account_id, id, reference, outcome, forced_by, settling_since, pending_cancels)
  SELECT n.account_id, n.id, n.reference, n.outcome, n.forced_by::jsonb, CASE WHEN n.is_settling THEN now() END,
         n.pending_cancels::jsonb
    FROM unnest(${wagers.accountIds()}, ${wagers.bigints(({ id }) => id)},
                ${wagers.texts(({ reference }) => reference)}, ${wagers.texts(({ outcome }) => outcome)},
                ${wagers.texts(forcedByJson)}, ${wagers.booleans(({ isSettling }) => isSettling)},
                ${wagers.texts(({ pendingCancels }) => pendingCancelsJson(pendingCancels))})
         AS n (account_id, id, reference, outcome, forced_by, is_settling, pending_cancels)`;

const updateWagers = (wagers: Columns<Wager>): Prisma.Sql => Prisma.sql`
  UPDATE wagers w SET outcome = n.outcome, forced_by = n.forced_by::jsonb, updated_at = now(),
         settling_since = CASE WHEN n.is_settling THEN coalesce(w.settling_since, now()) END,
         pending_cancels = n.pending_cancels::jsonb
    FROM unnest(${wagers.accountIds()}, ${wagers.bigints(({ id }) => id)}, ${wagers.texts(({ outcome }) => outcome)},
                ${wagers.texts(forcedByJson)}, ${wagers.booleans(({ isSettling }) => isSettling)},
                ${wagers.texts(({ pendingCancels }) => pendingCancelsJson(pendingCancels))})
         AS n (account_id, id, outcome, forced_by, is_settling, pending_cancels)
   WHERE w.account_id = n.account_id AND w.id = n.id`;

const jsonOf = (value: unknown): string | null => (value == null ? null : JSON.stringify(value));

const insertBets = (bets: Columns<Bet>, metaOf: (bet: Bet) => unknown): Prisma.Sql => Prisma.sql`
  INSERT INTO bets (account_id, id, wager_id, requesting_user_id, requesting_odds, requesting_amount, queue_place,
                    offer_status, accepting_user_id, effective_odds, effective_amount, override_outcome,
                    settled_outcome, is_active, allowed_acceptor_ids, meta)
  SELECT n.account_id, n.id, n.wager_id, n.requesting_user_id, n.requesting_odds, n.requesting_amount, n.queue_place,
         n.offer_status, n.accepting_user_id, n.effective_odds, n.effective_amount, n.override_outcome,
         n.settled_outcome, n.is_active, n.allowed_acceptor_ids::bigint[], n.meta::jsonb
    FROM unnest(
      ${bets.accountIds()}, ${bets.bigints(({ id }) => id)}, ${bets.bigints(({ wagerId }) => wagerId)},
      ${bets.bigints(({ requestingUserId }) => requestingUserId)},
      ${bets.bigints(({ requestingOdds }) => requestingOdds)}, ${bets.bigints(({ requestingAmount }) => requestingAmount)},
      ${bets.bigints(({ queuePlace }) => queuePlace)}, ${bets.texts(({ offerStatus }) => offerStatus)},
      ${bets.bigints(({ acceptingUserId }) => acceptingUserId)}, ${bets.bigints(({ effectiveOdds }) => effectiveOdds)},
      ${bets.bigints(({ effectiveAmount }) => effectiveAmount)},
      ${bets.texts(({ overrideOutcome }) => overrideOutcome)}, ${bets.texts(({ settledOutcome }) => settledOutcome)},
      ${bets.booleans(({ isActive }) => isActive)}, ${bets.texts(({ allowedAcceptorIds }) => scalars(allowedAcceptorIds))},
      ${bets.texts((bet) => jsonOf(metaOf(bet)))})
      AS n (account_id, id, wager_id, requesting_user_id, requesting_odds, requesting_amount, queue_place,
            offer_status, accepting_user_id, effective_odds, effective_amount, override_outcome, settled_outcome,
            is_active, allowed_acceptor_ids, meta)`;

const updateBets = (bets: Columns<Bet>): Prisma.Sql => Prisma.sql`
  UPDATE bets b
     SET offer_status = n.offer_status, accepting_user_id = n.accepting_user_id, effective_odds = n.effective_odds,
         effective_amount = n.effective_amount, override_outcome = n.override_outcome,
         settled_outcome = n.settled_outcome, is_active = n.is_active, updated_at = now()
    FROM unnest(
      ${bets.accountIds()}, ${bets.bigints(({ id }) => id)}, ${bets.texts(({ offerStatus }) => offerStatus)},
      ${bets.bigints(({ acceptingUserId }) => acceptingUserId)}, ${bets.bigints(({ effectiveOdds }) => effectiveOdds)},
      ${bets.bigints(({ effectiveAmount }) => effectiveAmount)},
      ${bets.texts(({ overrideOutcome }) => overrideOutcome)}, ${bets.texts(({ settledOutcome }) => settledOutcome)},
      ${bets.booleans(({ isActive }) => isActive)})
      AS n (account_id, id, offer_status, accepting_user_id, effective_odds, effective_amount, override_outcome,
            settled_outcome, is_active)
   WHERE b.account_id = n.account_id AND b.id = n.id`;

const updateBalances = (users: Columns<User>): Prisma.Sql => Prisma.sql`
  UPDATE balances b SET balance = n.balance, exposure = n.exposure
    FROM unnest(${users.accountIds()}, ${users.bigints(({ id }) => id)}, ${users.bigints(({ balance }) => balance)},
                ${users.bigints(({ exposure }) => exposure)}) AS n (account_id, user_id, balance, exposure)
   WHERE b.account_id = n.account_id AND b.user_id = n.user_id`;

const upsertPositions = (positions: Columns<Position>): Prisma.Sql => Prisma.sql`
  INSERT INTO positions (account_id, user_id, wager_id, win, loss, offered)
  SELECT * FROM unnest(${positions.accountIds()}, ${positions.bigints(({ userId }) => userId)},
    ${positions.bigints(({ wagerId }) => wagerId)}, ${positions.bigints(({ win }) => win)},
    ${positions.bigints(({ loss }) => loss)}, ${positions.bigints(({ offered }) => offered)})
  ON CONFLICT (account_id, user_id, wager_id)
    DO UPDATE SET win = excluded.win, loss = excluded.loss, offered = excluded.offered`;

/** `ids.drawn` holds an id for each trail entry, by its place. */
const insertTrails = (trails: Columns<TrailEntry>): Prisma.Sql => Prisma.sql`
  INSERT INTO bet_trails (id, account_id, bet_id, wager_id, offer_status, description, outcome, override_outcome,
    requesting_odds, requesting_amount, accepting_odds, accepting_amount, effective_odds, effective_amount)
  SELECT drawn[n.place], n.account_id, n.bet_id, n.wager_id, n.offer_status, n.description, n.outcome,
         n.override_outcome, n.requesting_odds, n.requesting_amount, n.accepting_odds, n.accepting_amount,
         n.effective_odds, n.effective_amount
    FROM ids, unnest(
      ${trails.accountIds()}, ${trails.bigints(({ betId }) => betId)}, ${trails.bigints(({ wagerId }) => wagerId)},
      ${trails.texts(({ offerStatus }) => offerStatus)}, ${trails.texts(({ description }) => description)},
      ${trails.texts(({ outcome }) => outcome)}, ${trails.texts(({ overrideOutcome }) => overrideOutcome)},
      ${trails.bigints(({ requestingOdds }) => requestingOdds)},
      ${trails.bigints(({ requestingAmount }) => requestingAmount)},
      ${trails.bigints(({ acceptingOdds }) => acceptingOdds)}, ${trails.bigints(({ acceptingAmount }) => acceptingAmount)},
      ${trails.bigints(({ effectiveOdds }) => effectiveOdds)}, ${trails.bigints(({ effectiveAmount }) => effectiveAmount)})
      WITH ORDINALITY AS n (account_id, bet_id, wager_id, offer_status, description, outcome, override_outcome,
        requesting_odds, requesting_amount, accepting_odds, accepting_amount, effective_odds, effective_amount, place)`;

interface NamedTransactions {
  readonly transactions: Columns<Transaction>;
  readonly references: readonly string[];
  /** Where the trail entry of a transaction stands in the list, from 1. */
  readonly placeOf: ReadonlyMap<TrailEntry | null, number>;
}

const insertTransactions = ({ transactions, references, placeOf }: NamedTransactions): Prisma.Sql => Prisma.sql`
  INSERT INTO transactions (account_id, user_id, reference, amount, description, transaction_type,
    transaction_source, bet_trail_id)
  SELECT n.account_id, n.user_id, n.reference, n.amount, n.description, n.transaction_type, n.transaction_source,
         drawn[n.trail_place]
    FROM ids, unnest(
      ${transactions.accountIds()}, ${transactions.bigints(({ userId }) => userId)}, ${texts(references)}::text[],
      ${transactions.bigints(({ amount }) => amount)}, ${transactions.texts(({ description }) => description)},
      ${transactions.texts(({ transactionType }) => transactionType)},
      ${transactions.texts(({ transactionSource }) => transactionSource)},
      ${transactions.bigints(({ trail }) => placeOf.get(trail) ?? null)})
      AS n (account_id, user_id, reference, amount, description, transaction_type, transaction_source, trail_place)
  RETURNING id, reference, created_at, bet_trail_id`;

/**
 * Writes everything that a group of operations decided, in one statement of constant text. The statement draws the ids of
 * the trail entries, so that each transaction can name its entry. Returns stored rows for funding and withdrawals only.
 */
export async function persist(tx: Tx, all: readonly AccountChanges[]): Promise<StoredTransactions> {
  const trails = new Columns(all, (changes) => changes.trails);
  const transactions = new Columns(all, (changes) => changes.transactions);
  const metas = new Map(all.flatMap((changes) => [...changes.metas]));
  const metaOf = (bet: Bet) => metas.get(bet);
  const references = newReferences(transactions.items.length);
  const placeOf = new Map<TrailEntry | null, number>(trails.items.map((trail, index) => [trail, index + 1]));
  const stored = await tx.$queryRaw<StoredTransaction[]>`/* prepared: persist */
    WITH inserted_wagers AS (${insertWagers(new Columns(all, (changes) => changes.insertedWagers))}),
    updated_wagers AS (${updateWagers(new Columns(all, (changes) => changes.updatedWagers))}),
    inserted_bets AS (${insertBets(new Columns(all, (changes) => changes.insertedBets), metaOf)}),
    updated_bets AS (${updateBets(new Columns(all, (changes) => changes.updatedBets))}),
    updated_balances AS (${updateBalances(new Columns(all, (changes) => changes.users))}),
    moved_positions AS (${upsertPositions(new Columns(all, (changes) => changes.positions))}),
    ids AS MATERIALIZED (
      SELECT array_agg(nextval('bet_trails_id_seq')) AS drawn FROM generate_series(1, ${trails.items.length}::int)
    ),
    inserted_trails AS (${insertTrails(trails)}),
    inserted_transactions AS (${insertTransactions({ transactions, references, placeOf })})
    SELECT id, reference, created_at AS "createdAt" FROM inserted_transactions WHERE bet_trail_id IS NULL`;
  const byReference = new Map(stored.map((row) => [row.reference, row]));
  return new Map(
    transactions.items.flatMap((transaction, index) => {
      const row = transaction.trail === null ? byReference.get(references[index] ?? '') : undefined;
      return row === undefined ? [] : [[transaction, row] as const];
    }),
  );
}
