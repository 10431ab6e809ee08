import type { EventKind } from '#core/event-kind.js';
import { Prisma, type Queryable } from '#platform/database/database.js';
import { balanceAfter } from './balance-after.js';
import type { EventBet, EventTransaction, EventWager, LogEvent, LoggedMark } from './event.js';

// What events show is read from rows that never change, so it needs no snapshot.

const isOfBet = ({ type }: LoggedMark): boolean => type.startsWith('offer.') || type.startsWith('bet.');
const isOfWager = ({ type }: LoggedMark): boolean => type.startsWith('wager.');
/** The transactions of a step belong to the event that says what they are for. */
const movesMoney: ReadonlySet<EventKind> = new Set<EventKind>(['bet.settled', 'bet.unsettled']);

const refsOf = (marks: readonly LoggedMark[]): bigint[] => [...new Set(marks.map(({ ref }) => ref))];

async function readBets(database: Queryable, accountId: bigint, trailIds: readonly bigint[]): Promise<EventBet[]> {
  if (trailIds.length === 0) return [];
  return database.$queryRaw<EventBet[]>`/* prepared: bets of events */
    SELECT t.bet_id AS id, t.id AS "trailId", t.wager_id AS "wagerId", w.reference AS "wagerReference",
           t.offer_status AS "offerStatus", coalesce(t.override_outcome, t.outcome) AS outcome,
           t.override_outcome AS "overrideOutcome", b.requesting_user_id AS "requestingUserId",
           t.requesting_odds AS "requestingOdds", t.requesting_amount AS "requestingAmount",
           CASE WHEN t.effective_amount IS NOT NULL THEN b.accepting_user_id END AS "acceptingUserId",
           t.effective_odds AS "effectiveOdds", t.effective_amount AS "effectiveAmount",
           b.allowed_acceptor_ids AS "allowedAcceptorIds",
           b.queue_place AS "queuePlace", b.created_at AS "createdAt", b.is_active AS "isActive"
      FROM unnest(${trailIds}::bigint[]) AS wanted (id)
      JOIN bet_trails t ON t.account_id = ${accountId} AND t.id = wanted.id
      JOIN bets b ON b.account_id = ${accountId} AND b.id = t.bet_id
      JOIN wagers w ON w.account_id = ${accountId} AND w.id = t.wager_id`;
}

const transactionColumns = Prisma.sql`t.id, t.bet_trail_id AS "betTrailId", t.user_id AS "userId", t.reference, t.amount,
  t.description, t.transaction_type AS "transactionType", t.transaction_source AS "transactionSource",
  ${balanceAfter} AS "balanceAfter"`;

async function readTransactions(
  database: Queryable,
  accountId: bigint,
  { ids, trailIds }: { readonly ids: readonly bigint[]; readonly trailIds: readonly bigint[] },
): Promise<EventTransaction[]> {
  if (ids.length === 0 && trailIds.length === 0) return [];
  return database.$queryRaw<EventTransaction[]>`/* prepared: transactions of events */
    SELECT ${transactionColumns} FROM unnest(${ids}::bigint[]) AS wanted (id)
      JOIN transactions t ON t.account_id = ${accountId} AND t.id = wanted.id
    UNION ALL
    SELECT ${transactionColumns} FROM unnest(${trailIds}::bigint[]) AS wanted (id)
      JOIN transactions t ON t.account_id = ${accountId} AND t.bet_trail_id = wanted.id
     ORDER BY id`;
}

async function readWagers(database: Queryable, accountId: bigint, ids: readonly bigint[]): Promise<EventWager[]> {
  if (ids.length === 0) return [];
  return database.$queryRaw<EventWager[]>`/* prepared: wagers of events */
    SELECT w.id, w.reference FROM wagers w WHERE w.account_id = ${accountId} AND w.id = ANY (${ids}::bigint[])`;
}

function byTrail(transactions: readonly EventTransaction[]): Map<bigint | null, EventTransaction[]> {
  const found = new Map<bigint | null, EventTransaction[]>();
  for (const transaction of transactions) {
    const own = found.get(transaction.betTrailId);
    if (own === undefined) found.set(transaction.betTrailId, [transaction]);
    else own.push(transaction);
  }
  return found;
}

/** The events of these marks, in their order. */
export async function readEvents(
  database: Queryable,
  accountId: bigint,
  marks: readonly LoggedMark[],
): Promise<LogEvent[]> {
  const ofBets = marks.filter(isOfBet);
  const bets = await readBets(database, accountId, refsOf(ofBets));
  const transactions = await readTransactions(database, accountId, {
    ids: refsOf(marks.filter(({ type }) => type === 'transaction.created')),
    trailIds: refsOf(ofBets.filter(({ type }) => movesMoney.has(type))),
  });
  const wagers = await readWagers(database, accountId, refsOf(marks.filter(isOfWager)));
  const betOf = new Map(bets.map((bet) => [bet.trailId, bet]));
  const wagerOf = new Map(wagers.map((wager) => [wager.id, wager]));
  const moneyOf = new Map(transactions.filter(({ betTrailId }) => betTrailId === null).map((one) => [one.id, [one]]));
  const ofTrail = byTrail(transactions);
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

const shown = (mark: LoggedMark, facts: Partial<Pick<LogEvent, 'bet' | 'wager' | 'transactions'>>): LogEvent => ({
  // A literal that begins with a spread costs V8 a hidden class each time.
  bet: facts.bet,
  wager: facts.wager,
  transactions: facts.transactions ?? [],
  ...mark,
});
