import { Book } from '#core/book.js';
import { asMicros, ZERO } from '#core/money.js';
import { MoreOffers } from '#core/offers.js';
import type { TrailEntry, Transaction, User } from '#core/records.js';
import { Rejection } from '#core/rejection.js';
import type { AnsweredWager } from '#core/wager-status.js';
import { FIRST_BET_ID, FIRST_WAGER_ID } from '#proof/second-ledger/facts.js';
import type { Picture } from '#proof/second-ledger/picture.js';
import type { Records, TrailRecord, TransactionRecord } from '#proof/second-ledger/records.js';
import type { Verdict } from '#proof/second-ledger/second-ledger.js';
import { corePictureOf, PaidByBets } from './core-picture.js';
import type { StartingAccount } from './history.js';
import { MemoryStore } from './memory-store.js';
import { runOnBook, type Task, type TaskResult } from './task.js';
import { userIdOf, userReferenceOf } from './task-of-step.js';

/** The core with some way of loading its Book; its results in the form of the second ledger's. */
export interface CoreUnderTest {
  run(task: Task): Verdict;
  picture(): Picture;
  /** The records that the latest task wrote, of the kinds that this way of loading collects. */
  records(): Partial<Records>;
}

export type StartCore = (account: StartingAccount) => CoreUnderTest;

export const startBook = (account: StartingAccount): Book => {
  const book = new Book({
    now: 0n,
    account: { id: 1n, allowNegativeBalance: account.allowNegativeBalance, decimals: account.decimals },
    nextBetId: countFrom(FIRST_BET_ID),
    nextWagerId: countFrom(FIRST_WAGER_ID),
  });
  for (const user of usersOf(account)) book.loadUser(user);
  return book;
};

export const startStore = (account: StartingAccount, sliceSize: number): MemoryStore =>
  new MemoryStore(usersOf(account), sliceSize, account);

/** One Book that holds everything from the first step to the last. A test replaces `run` by a faulty core. */
export const wholeBook =
  (run = runOnBook): StartCore =>
  (account) => {
    const book = startBook(account);
    const paid = new PaidByBets();
    let records: Records;
    return {
      run(task) {
        const { transactions, trails } = book.changes();
        const counts = {
          transactions: transactions.length,
          trails: trails.length,
          followUps: book.journal.followUps.length,
        };
        const verdict = verdictOf(run(book, task));
        const changes = book.changes();
        const written = changes.transactions.slice(counts.transactions);
        paid.add(written);
        records = {
          transactions: written.map(transactionRecordOf),
          trails: changes.trails.slice(counts.trails).map(trailRecordOf),
          followUps: book.journal.followUps.slice(counts.followUps),
        };
        return verdict;
      },
      picture: () => corePictureOf(book, paid),
      records: () => records,
    };
  };

/** A new Book for each step, with only what the step needs, loaded in slices. It collects no trail entries. */
export const slicedBooks =
  (sliceSize: number): StartCore =>
  (account) => {
    const store = startStore(account, sliceSize);
    const paid = new PaidByBets();
    let records: Pick<Records, 'transactions'>;
    return {
      run(task) {
        const count = store.transactions.length;
        const verdict = verdictOf(store.run([task])[0]);
        const written = store.transactions.slice(count);
        paid.add(written);
        records = { transactions: written.map(transactionRecordOf) };
        return verdict;
      },
      picture: () => corePictureOf(store, paid),
      records: () => records,
    };
  };

const countFrom = (first: bigint) => {
  let next = first - 1n;
  return () => {
    next += 1n;
    return next;
  };
};

const usersOf = ({ users }: StartingAccount): User[] =>
  users.map(({ start, preference }, index) => ({
    id: userIdOf(index),
    reference: userReferenceOf(index),
    allowNegativeBalance: preference,
    balance: asMicros(BigInt(start)),
    exposure: ZERO,
    isDisputed: false,
  }));

const verdictOf = (result: TaskResult | undefined): Verdict => {
  if (result instanceof MoreOffers) throw new Error('the core wants more offers, although all are loaded');
  if (!(result instanceof Rejection)) return { isDone: true, answer: comparable(result) };
  const { kind, text } = result;
  if (kind === 'conflict') throw new Error(text);
  return { isDone: false, kind, text };
};

/** Of a wager, what the rules fix and the second ledger answers too. */
const comparable = (answer: unknown): unknown => {
  if (Array.isArray(answer))
    return answer.map((item) => ({ ...item, ...('answer' in item && { answer: comparable(item.answer) }) }));
  if (typeof answer !== 'object' || answer === null || !('statusReason' in answer)) return answer;
  const { status, statusReason, closesAt, event, startsAt, revision } = answer as AnsweredWager;
  return { status, statusReason, closesAt, event, startsAt, revision };
};

const transactionRecordOf = (transaction: Transaction): TransactionRecord => ({
  ...transaction,
  betId: transaction.trail?.betId ?? null,
});

const trailRecordOf = (trail: TrailEntry): TrailRecord => ({
  ...trail,
  isByAdmin: trail.description.includes(' by admin 9 (ops@example.com): as agreed'),
});
