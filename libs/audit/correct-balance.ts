import type { EventCause } from '#events/event-cause.js';
import { logEvents, singleEvent } from '#events/log-events.js';
import { Prisma, type Tx } from '#platform/database/database.js';
import { StartError } from '#platform/errors/start-error.js';
import { exposuresFrom, positionsFromBets, received } from './facts.js';
import {
  checkPortfolios,
  comparePortfolios,
  type PortfolioDifference,
  shownDifference,
  type UsersOfAccount,
} from './portfolio.js';

export interface BalanceCorrectionRequest {
  readonly accountId: bigint;
  readonly userId: bigint;
  /** Which of the two figures is right: the sum of the user's transactions, or the stored balance. */
  readonly keep: 'transactions' | 'balance';
  /** The description of the transaction. */
  readonly reason: string;
  readonly cause: EventCause;
}

/** In micro-units. */
export interface BalanceCorrection {
  readonly transactionId: bigint;
  /** The balance, and the sum of all transactions, before the correction. */
  readonly stored: bigint;
  readonly summed: bigint;
  readonly balanceAfter: bigint;
  readonly differences: readonly PortfolioDifference[];
}

/**
 * Makes the balance of a user and its transactions agree, by a transaction of source `correction`. It moves nothing where the
 * balance was wrong, and what the transactions miss where these were. Exposure and positions become what the bets come to.
 *
 * Undefined: nothing differs any more, and a dispute of the user has ended.
 *
 * It locks in the order of all transactions: wagers, then the balance. The sum is of all transactions since the first one: a
 * closing may be what is wrong.
 */
export async function correctBalance(
  tx: Tx,
  request: BalanceCorrectionRequest,
): Promise<BalanceCorrection | undefined> {
  const { accountId, userId, keep, cause } = request;
  const users = { accountId, userIds: [userId], cause };
  const wagerIds = wagersOf(await comparePortfolios(tx, users));
  await tx.$queryRaw`
    SELECT 1 FROM wagers WHERE account_id = ${accountId} AND id = ANY (${wagerIds})
     ORDER BY account_id, id FOR NO KEY UPDATE`;
  const stored = await lockBalance(tx, request);
  const { summed, wrongFrom } = await sumTransactions(tx, request);
  const computed = (await comparePortfolios(tx, users)).filter(({ what }) => what !== 'balance');
  if (wagersOf(computed).some((id) => !wagerIds.includes(id))) {
    throw new StartError('Other positions of the user differ than a moment ago. Nothing was changed: run it again.');
  }
  const differences = [...differenceOf(userId, { stored, summed }), ...computed];
  if (differences.length === 0 && wrongFrom === null) return endDispute(tx, users);
  const balanceAfter = keep === 'transactions' ? summed : stored;
  await setFigures(tx, request, { balance: balanceAfter, wagerIds: wagersOf(computed) });
  const transactionId = await insertTransaction(tx, { ...request, amount: balanceAfter - summed, balanceAfter });
  await tx.balanceCorrection.create({ data: { accountId, transactionId, userId, stored, summed, wrongFrom } });
  const extra = { differences: differences.map(shownDifference) };
  logEvents(tx, singleEvent(accountId, cause, { kind: 'transaction.created', ref: transactionId, extra }));
  await assertAgreed(tx, users);
  return { transactionId, stored, summed, balanceAfter, differences };
}

async function assertAgreed(tx: Tx, users: UsersOfAccount): Promise<void> {
  const [left] = await checkPortfolios(tx, users);
  if (left === undefined) return;
  throw new StartError(
    `The ${left.what} of the user differs from its last closing, but not from its transactions and bets: the closing is wrong. ` +
      'Nothing was changed. Delete the closings of the account (docs/operations.md, "Closings"), and run this again.',
  );
}

async function endDispute(tx: Tx, users: UsersOfAccount): Promise<undefined> {
  const [userId] = users.userIds;
  const [balance] = await tx.$queryRaw<{ isDisputed: boolean }[]>`
    SELECT disputed_since IS NOT NULL AS "isDisputed" FROM balances
     WHERE account_id = ${users.accountId} AND user_id = ${userId}`;
  await assertAgreed(tx, users);
  if (balance?.isDisputed) return;
  throw new StartError('The figures of the user are what its bets and transactions come to: nothing was changed.');
}

type User = Pick<BalanceCorrectionRequest, 'accountId' | 'userId'>;

const wagersOf = (differences: readonly PortfolioDifference[]): bigint[] => [
  ...new Set(differences.flatMap(({ wagerId }) => wagerId ?? [])),
];

async function lockBalance(tx: Tx, { accountId, userId }: User): Promise<bigint> {
  const [row] = await tx.$queryRaw<{ balance: bigint }[]>`
    SELECT balance FROM balances WHERE account_id = ${accountId} AND user_id = ${userId} FOR NO KEY UPDATE`;
  if (row === undefined) throw new StartError(`Account ${accountId} has no user ${userId}.`);
  return row.balance;
}

interface SummedTransactions {
  readonly summed: bigint;
  /** The first transaction since the last correction whose `balance_after` is not the sum up to it. */
  readonly wrongFrom: bigint | null;
}

async function sumTransactions(tx: Tx, { accountId, userId }: User): Promise<SummedTransactions> {
  const [row] = await tx.$queryRaw<[SummedTransactions]>`
    SELECT coalesce(sum(moved), 0)::bigint AS summed,
           min(id) FILTER (WHERE balance_after <> running AND id > coalesce((
             SELECT max(c.transaction_id) FROM balance_corrections c
              WHERE c.account_id = ${accountId} AND c.user_id = ${userId}), 0)) AS "wrongFrom"
      FROM (SELECT t.id, t.balance_after, ${Prisma.raw(received)} AS moved,
                   sum(${Prisma.raw(received)}) OVER (ORDER BY t.id) AS running
              FROM transactions t WHERE t.account_id = ${accountId} AND t.user_id = ${userId}) each`;
  return row;
}

const differenceOf = (
  userId: bigint,
  { stored, summed }: { readonly stored: bigint; readonly summed: bigint },
): PortfolioDifference[] =>
  stored === summed ? [] : [{ userId, wagerId: null, what: 'balance', stored, recomputed: summed }];

interface RightFigures {
  readonly balance: bigint;
  /** The wagers whose positions differ. */
  readonly wagerIds: readonly bigint[];
}

async function setFigures(tx: Tx, { accountId, userId }: User, { balance, wagerIds }: RightFigures): Promise<void> {
  const facts = Prisma.raw(
    positionsFromBets({
      bets: 'bets',
      ofUsers: (userColumn) => `AND b.account_id = ${accountId} AND ${userColumn} = ${userId}`,
    }),
  );
  const exposure = Prisma.raw(exposuresFrom('SELECT * FROM facts'));
  await tx.$executeRaw`
    WITH facts AS MATERIALIZED (${facts})
    UPDATE balances SET balance = ${balance}, exposure = coalesce((SELECT exposure FROM (${exposure}) risked), 0)
     WHERE account_id = ${accountId} AND user_id = ${userId}`;
  if (wagerIds.length === 0) return;
  await tx.$executeRaw`
    WITH facts AS MATERIALIZED (${facts})
    INSERT INTO positions (account_id, user_id, wager_id, win, loss, offered)
    SELECT ${accountId}, ${userId}, n.wager_id, coalesce(facts.win, 0), coalesce(facts.loss, 0), coalesce(facts.offered, 0)
      FROM unnest(${wagerIds}::bigint[]) AS n (wager_id) LEFT JOIN facts ON facts.wager_id = n.wager_id
        ON CONFLICT (account_id, user_id, wager_id)
        DO UPDATE SET win = excluded.win, loss = excluded.loss, offered = excluded.offered`;
}

interface CorrectingTransaction extends User {
  /** With its sign. */
  readonly amount: bigint;
  readonly balanceAfter: bigint;
  readonly reason: string;
}

/** Its time is read while the balance is locked, as that of all transactions. */
async function insertTransaction(tx: Tx, transaction: CorrectingTransaction): Promise<bigint> {
  const { accountId, userId, amount, balanceAfter, reason } = transaction;
  const type = amount === 0n ? 'no-action' : amount > 0n ? 'credit' : 'debit';
  const [row] = await tx.$queryRaw<{ id: bigint }[]>`
    INSERT INTO transactions (id, account_id, user_id, reference, amount, description, transaction_type,
                              transaction_source, balance_after, created_at)
    SELECT n.id, ${accountId}, ${userId}, 'TX_correction_' || n.id, ${amount < 0n ? -amount : amount}, ${reason}, ${type},
           'correction', ${balanceAfter}, clock_timestamp()
      FROM (SELECT nextval('transactions_id_seq') AS id) n
    RETURNING id`;
  if (row === undefined) throw new Error('the transaction was not inserted');
  await tx.$executeRaw`
    INSERT INTO ledger_totals AS known (account_id, shard, transactions) SELECT ${accountId}, take_totals_shard(), 1
        ON CONFLICT (account_id, shard) DO UPDATE SET transactions = known.transactions + excluded.transactions`;
  return row.id;
}
