import { describe, expect, it } from '@jest/globals';
import { withTx } from '#platform/database/database.js';
import type { TransactionRecord } from '#proof/second-ledger/records.js';
import {
  type Period,
  type SecondStatement,
  statementOf,
  type TimedTransaction,
} from '#proof/second-ledger/statement.js';
import { readDayOfUsers, readReconciliation } from '#reads/reconciliation.js';
import { openStatement, type StatementLine, streamLines } from '#reads/statement.js';
import { expectBooksToBalance } from '#testing/books.js';
import { useLedgerDatabase } from '#testing/ledger-fixture.js';
import { COUNT_TOTALS } from '#tools/shared/count-totals.js';
import { createSeededRandom } from '#tools/shared/seeded-random.js';
import type { History, StartingAccount } from './history.js';
import { planHistory } from './plan-history.js';
import { isPlayableInSlices, playOnSecondLedger } from './play-history.js';
import { type SecondBetIds, StoredAccount } from './stored-account.js';
import { userIdOf, userReferenceOf } from './task-of-step.js';

// Plays random histories on the ledger in its database and on the second ledger, and compares the statements of all users
// for random periods, line by line.

const fixture = useLedgerDatabase();
const HISTORIES = 5;
const PERIODS = 10;

const startsOf = ({ users }: StartingAccount): TransactionRecord[] =>
  users.flatMap(({ start }, index) => {
    const kind = start > 0 ? (['credit', 'funding'] as const) : (['debit', 'withdrawal'] as const);
    const [transactionType, transactionSource] = kind;
    const amount = BigInt(Math.abs(start));
    const record = { userId: userIdOf(index), amount, betId: null, balanceAfter: BigInt(start) };
    return start === 0 ? [] : [{ ...record, transactionType, transactionSource }];
  });

interface PlayedOnBoth {
  readonly all: readonly TimedTransaction[];
  readonly ids: SecondBetIds;
}

async function playOnBoth(stored: StoredAccount, history: History): Promise<PlayedOnBoth> {
  const { accountId } = stored;
  await stored.open(history.account);
  await fixture.query(COUNT_TOTALS);
  const records = startsOf(history.account);
  let ids: SecondBetIds = [];
  for (const { task, verdict, records: written, after } of playOnSecondLedger(history)) {
    expect((await stored.run(task, ids))?.kind === 'done').toBe(verdict.isDone);
    ids = after.bets.map(({ id }) => id);
    records.push(...written.transactions);
  }
  const times = await fixture.query(
    `SELECT (extract(epoch FROM created_at) * 1000)::float8 AS at FROM transactions WHERE account_id = ${accountId} ORDER BY id`,
  );
  expect(times).toHaveLength(records.length);
  return { all: records.map((record, index) => ({ ...record, at: Number(times[index]?.at) })), ids };
}

async function readStatement(accountId: bigint, userReference: string, { from, to }: Period) {
  const request = { accountId, user: { reference: userReference }, from: new Date(from), to: new Date(to) };
  const opened = await openStatement(fixture.database.of(accountId), request);
  const lines: StatementLine[] = [];
  for await (const portion of streamLines(fixture.database.of(accountId), opened)) lines.push(...portion);
  return { opened, lines };
}

interface ShownBy {
  readonly stored: StoredAccount;
  readonly ids: SecondBetIds;
}

async function expectSameStatement(by: ShownBy, userReference: string, period: Period, second: SecondStatement) {
  const { stored, ids } = by;
  const { opened, lines } = await readStatement(stored.accountId, userReference, period);
  const { openingBalance, closingBalance } = second;
  expect(opened).toMatchObject({ openingBalance, closingBalance, credits: second.funded + second.betCredits });
  expect(opened.debits).toBe(second.withdrawn + second.betDebits);
  const bets = await stored.idsIn('bets');
  const shown = lines.map(({ at, amount, type, source, balance, betId }) => ({
    at: at.getTime(),
    amount,
    transactionType: type,
    transactionSource: source,
    balanceAfter: balance,
    betId: betId === null ? null : ids[bets.indexOf(betId)],
  }));
  expect(shown).toEqual(second.lines.map(({ userId: _userId, ...line }) => line));
}

const DAY_MS = 86_400_000;

/** Of the day of the last transaction: over the users it is what the whole account has. */
async function expectSameDay(accountId: bigint, all: readonly TimedTransaction[], userIds: readonly bigint[]) {
  const from = Math.floor((all.at(-1)?.at ?? 0) / DAY_MS) * DAY_MS;
  const day = new Date(from).toISOString().slice(0, 10);
  const figuresOf = (userId: bigint) => {
    const { lines, ...figures } = statementOf(all, userId, { from, to: from + DAY_MS });
    return { userId, ...figures, transactions: BigInt(lines.length) };
  };
  const second = userIds.map(figuresOf);
  const tables = fixture.database.of(accountId);
  const users = await withTx(tables, (tx) => readDayOfUsers(tx, { accountId, day, afterUserId: 0n, limit: 100 }));
  expect(users).toMatchObject(second);
  const whole = await withTx(tables, (tx) => readReconciliation(tx, accountId, day));
  for (const figure of [
    'openingBalance',
    'closingBalance',
    'funded',
    'withdrawn',
    'betCredits',
    'betDebits',
  ] as const) {
    expect([figure, whole[figure]]).toEqual([figure, second.reduce((sum, user) => sum + user[figure], 0n)]);
  }
}

describe('statements of random histories', () => {
  it('are line by line those of the second ledger, and add up to the reconciliation', async () => {
    const random = createSeededRandom(20_261_122);
    const histories: History[] = [];
    while (histories.length < HISTORIES) {
      const history = planHistory(random.below(2 ** 32), { isTimed: false });
      if (isPlayableInSlices(history)) histories.push(history);
    }
    let lineCount = 0;
    for (const [index, history] of histories.entries()) {
      const accountId = BigInt(100 + index);
      const stored = new StoredAccount(fixture, accountId);
      const { all, ids } = await playOnBoth(stored, history);
      const by = { stored, ids };
      const times = [0, ...all.map(({ at }) => at), Date.now() + DAY_MS];
      const userIds = history.account.users.map((_user, index) => userIdOf(index));
      const always = { from: 0, to: Date.now() + DAY_MS };
      for (const [index, userId] of userIds.entries()) {
        const second = statementOf(all, userId, always);
        lineCount += second.lines.length;
        await expectSameStatement(by, userReferenceOf(index), always, second);
      }
      for (let count = 0; count < PERIODS; count += 1) {
        const [one = 0, other = 0] = [random.pick(times as [number]), random.pick(times as [number]) + random.below(3)];
        const period = { from: Math.min(one, other), to: Math.max(one, other) };
        const index = random.below(userIds.length);
        const second = statementOf(all, userIds[index] ?? 0n, period);
        lineCount += second.lines.length;
        await expectSameStatement(by, userReferenceOf(index), period, second);
      }
      await expectSameDay(accountId, all, userIds);
    }
    expect(lineCount).toBeGreaterThan(60);
    await expectBooksToBalance(fixture.environment.database);
  });
});
