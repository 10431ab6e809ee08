import { MOST_DECIMALS, unitOf } from '#core/money.js';
import type { EventCause } from '#events/event-cause.js';
import { logEvents, singleEvent } from '#events/log-events.js';
import { Prisma, type Tx } from '#platform/database/database.js';
import { StartError } from '#platform/errors/start-error.js';
import { receivedSql } from './facts.js';
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
 * balance was wrong, and what the transactions miss where these were. Exposure and positions become what all bets of the user come
 * to.
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
  const users = { accountId, userIds: [userId], isWhole: true, cause };
  const wagerIds = wagersOf(await comparePortfolios(tx, users));
  await tx.$queryRaw`
    SELECT 1 FROM wagers WHERE account_id = ${accountId} AND id = ANY (${wagerIds})
     ORDER BY account_id, id FOR NO KEY UPDATE`;
  const { balance: stored, isDisputed } = await lockBalance(tx, request);
  const { summed, wrongFrom } = await sumTransactions(tx, request);
  const computed = (await comparePortfolios(tx, users)).filter(({ what }) => what !== 'balance');
  if (wagersOf(computed).some((id) => !wagerIds.includes(id))) {
    throw new StartError('Other positions of the user differ than a moment ago. Nothing was changed: run it again.');
  }
  const differences = [...differenceOf(userId, { stored, summed }), ...computed];
  if (differences.length === 0 && wrongFrom === null) {
    await assertAgreed(tx, users);
    if (isDisputed) return undefined;
    throw new StartError('The figures of the user are what its bets and transactions come to: nothing was changed.');
  }
  const balanceAfter = keep === 'transactions' ? summed : stored;
  if (keep === 'balance') await assertWholeUnits(tx, accountId, stored);
  await setFigures(tx, request, { balance: balanceAfter, computed });
  const transactionId = await insertTransaction(tx, { ...request, amount: balanceAfter - summed, balanceAfter });
  await tx.prisma.balanceCorrection.create({ data: { accountId, transactionId, userId, stored, summed, wrongFrom } });
  const extra = { differences: differences.map(shownDifference) };
  logEvents(tx, singleEvent(accountId, cause, { kind: 'transaction.created', ref: transactionId, extra }));
  await assertAgreed(tx, users);
  return { transactionId, stored, summed, balanceAfter, differences };
}

/** A transaction of a finer amount would differ from what the account allows, in every audit to come. */
async function assertWholeUnits(tx: Tx, accountId: bigint, balance: bigint): Promise<void> {
  const [account] = await tx.$queryRaw<{ decimals: number | null }[]>`
    SELECT decimals FROM accounts WHERE id = ${accountId}`;
  const decimals = account?.decimals ?? MOST_DECIMALS;
  if (balance % unitOf(decimals) === 0n) return;
  throw new StartError(
    `The balance has more decimals than the ${decimals} of the account. Nothing was changed: keep the transactions.`,
  );
}

async function assertAgreed(tx: Tx, users: UsersOfAccount): Promise<void> {
  const [left] = await checkPortfolios(tx, users);
  if (left === undefined) return;
  throw new StartError(
    `The ${left.what} of the user differs from its last closing, but not from its transactions and bets: the closing is wrong. ` +
      'Nothing was changed. Delete the closings of the account (docs/operations.md, "Closings"), and run this again.',
  );
}

type User = Pick<BalanceCorrectionRequest, 'accountId' | 'userId'>;

const wagersOf = (differences: readonly PortfolioDifference[]): bigint[] => [
  ...new Set(differences.flatMap(({ wagerId }) => wagerId ?? [])),
];

interface LockedBalance {
  readonly balance: bigint;
  readonly isDisputed: boolean;
}

async function lockBalance(tx: Tx, { accountId, userId }: User): Promise<LockedBalance> {
  const [row] = await tx.$queryRaw<LockedBalance[]>`
    SELECT balance, disputed_since IS NOT NULL AS "isDisputed" FROM balances
     WHERE account_id = ${accountId} AND user_id = ${userId} FOR NO KEY UPDATE`;
  if (row === undefined) throw new StartError(`Account ${accountId} has no user ${userId}.`);
  return row;
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
      FROM (SELECT t.id, t.balance_after, ${Prisma.raw(receivedSql)} AS moved,
                   sum(${Prisma.raw(receivedSql)}) OVER (ORDER BY t.id) AS running
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
  /** What differs of the exposure and the positions. */
  readonly computed: readonly PortfolioDifference[];
}

/** A position without a row has zeros where nothing differs. */
async function setFigures(tx: Tx, user: User, { balance, computed }: RightFigures): Promise<void> {
  const { accountId, userId } = user;
  const figuresOf = (wagerId: bigint | null) =>
    Object.fromEntries(
      computed.filter((each) => each.wagerId === wagerId).map(({ what, recomputed }) => [what, recomputed]),
    );
  await tx.prisma.balance.update({
    where: { accountId_userId: { accountId, userId } },
    data: { balance, ...figuresOf(null) },
  });
  for (const wagerId of wagersOf(computed)) {
    const key = { accountId, userId, wagerId };
    const figures = figuresOf(wagerId);
    await tx.prisma.position.upsert({
      where: { accountId_userId_wagerId: key },
      create: { ...key, ...figures },
      update: figures,
    });
  }
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
    INSERT INTO transactions (id, account_id, user_id, amount, description, transaction_type,
                              transaction_source, balance_after, created_at)
    SELECT n.id, ${accountId}, ${userId}, ${amount < 0n ? -amount : amount}, ${reason}, ${type},
           'correction', ${balanceAfter}, clock_timestamp()
      FROM (SELECT nextval('transactions_id_seq') AS id) n
    RETURNING id`;
  if (row === undefined) throw new Error('the transaction was not inserted');
  await tx.$executeRaw`
    INSERT INTO ledger_totals AS known (account_id, shard, transactions) SELECT ${accountId}, take_totals_shard(), 1
        ON CONFLICT (account_id, shard) DO UPDATE SET transactions = known.transactions + excluded.transactions`;
  return row.id;
}
