import { Book } from '#core/book.js';
import { execute, executeBatch } from '#core/execute.js';
import { asMicros, ZERO } from '#core/money.js';
import { MoreOffers } from '#core/needs.js';
import type { Bet, Position, TrailEntry, Transaction, User, Wager } from '#core/records.js';
import { Rejection } from '#core/rejection.js';
import { FIRST_BET_ID, FIRST_WAGER_ID } from '#proof/second-ledger/facts.js';
import type { BetPicture, Picture } from '#proof/second-ledger/recompute.js';
import type { Records, TrailRecord, TransactionRecord } from '#proof/second-ledger/records.js';
import type { Verdict } from '#proof/second-ledger/second-ledger.js';
import { type Act, userIdOf, userReferenceOf } from './act.js';
import type { World } from './history.js';
import { MemoryStore } from './memory-store.js';

/** The core, held in some way, and what can be seen of it in the words of the second ledger. */
export interface Core {
  run(act: Act): Verdict;
  picture(): Picture;
  /** What the latest act wrote, as far as this way of holding it keeps that. */
  records(): Partial<Records>;
}

export type StartCore = (world: World) => Core;

type Result = ReturnType<typeof execute> | ReturnType<typeof executeBatch>;

/** Asks the core. A test puts a faulty one in its place. */
export const runOnBook = (book: Book, act: Act): Result =>
  act.kind === 'single' ? execute(book, act.operation) : executeBatch(book, act.items);

/** One Book that holds everything from the first step to the last. */
export const wholeBook =
  (run = runOnBook): StartCore =>
  (world) => {
    const book = new Book({
      account: { id: 1n, allowNegativeBalance: world.allowNegativeBalance },
      nextBetId: countFrom(FIRST_BET_ID),
      nextWagerId: countFrom(FIRST_WAGER_ID),
    });
    for (const user of usersOf(world)) book.loadUser(user);
    const paid = new PaidByBets();
    let records: Records;
    return {
      run(act) {
        const { transactions, trails } = book.changes();
        const counts = { transactions: transactions.length, trails: trails.length, followUps: book.followUps.length };
        const verdict = verdictOf(run(book, act));
        const changes = book.changes();
        const written = changes.transactions.slice(counts.transactions);
        paid.add(written);
        records = {
          transactions: written.map(transactionRecordOf),
          trails: changes.trails.slice(counts.trails).map(trailRecordOf),
          followUps: book.followUps.slice(counts.followUps),
        };
        return verdict;
      },
      picture: () => pictureOf(book, paid),
      records: () => records,
    };
  };

/** For each step a Book with no more in it than the step needs, in slices. It keeps no trails. */
export const slicedBooks =
  (sliceSize: number): StartCore =>
  (world) => {
    const { allowNegativeBalance } = world;
    const store = new MemoryStore(usersOf(world), sliceSize, { allowNegativeBalance });
    const paid = new PaidByBets();
    let records: Pick<Records, 'transactions'>;
    return {
      run(act) {
        const count = store.transactions.length;
        const verdict = verdictOf(act.kind === 'single' ? store.run([act.operation])[0] : store.runBatch(act.items));
        const written = store.transactions.slice(count);
        paid.add(written);
        records = { transactions: written.map(transactionRecordOf) };
        return verdict;
      },
      picture: () => pictureOf(store, paid),
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

const usersOf = ({ users }: World): User[] =>
  users.map(({ start, preference }, index) => ({
    id: userIdOf(index),
    reference: userReferenceOf(index),
    allowNegativeBalance: preference,
    balance: asMicros(BigInt(start)),
    exposure: ZERO,
  }));

const verdictOf = (result: Result | undefined): Verdict => {
  if (result instanceof MoreOffers) throw new Error('more offers are wanted, although all are here');
  if (result instanceof Rejection) return { isDone: false, kind: result.kind, text: result.text };
  return { isDone: true, answer: result };
};

/** What each bet's transactions with each of its users sum to. */
class PaidByBets {
  readonly #sums = new Map<string, bigint>();

  add(transactions: readonly Transaction[]): void {
    for (const { userId, amount, transactionType, trail } of transactions) {
      if (trail === null) continue;
      const received = transactionType === 'debit' ? -amount : amount;
      this.#sums.set(`${trail.betId} ${userId}`, this.to(trail.betId, userId) + received);
    }
  }

  to(betId: bigint, userId: bigint | null): bigint {
    return this.#sums.get(`${betId} ${userId}`) ?? 0n;
  }
}

interface Rows {
  readonly users: { values(): Iterable<User> };
  readonly wagers: { values(): Iterable<Wager> };
  readonly bets: { values(): Iterable<Bet> };
  readonly positions: { values(): Iterable<Position> };
}

const pictureOf = ({ users, wagers, bets, positions }: Rows, paid: PaidByBets): Picture => ({
  users: [...users.values()].map(({ id, balance, exposure }) => ({ id, balance, exposure })),
  wagers: [...wagers.values()].map(({ id, reference, outcome, isSettling }) => ({
    id,
    reference,
    outcome,
    isSettling,
  })),
  bets: [...bets.values()].map((bet) => betPictureOf(bet, paid)),
  positions: [...positions.values()]
    .map(({ userId, wagerId, win, loss, offered }) => ({ userId, wagerId, win, loss, offered }))
    .filter(({ win, loss, offered }) => win !== ZERO || loss !== ZERO || offered !== ZERO)
    .sort((one, other) => Number(one.userId - other.userId) || Number(one.wagerId - other.wagerId)),
});

const betPictureOf = (bet: Bet, paid: PaidByBets): BetPicture => ({
  id: bet.id,
  wagerId: bet.wagerId,
  requestingUserId: bet.requestingUserId,
  requestingOdds: bet.requestingOdds,
  requestingAmount: bet.requestingAmount,
  allowedAcceptorIds: bet.allowedAcceptorIds,
  offerStatus: bet.offerStatus,
  acceptingUserId: bet.acceptingUserId,
  effectiveOdds: bet.effectiveOdds,
  effectiveAmount: bet.effectiveAmount,
  overrideOutcome: bet.overrideOutcome,
  settledOutcome: bet.settledOutcome,
  isActive: bet.isActive,
  paidToRequester: paid.to(bet.id, bet.requestingUserId),
  paidToAcceptor: paid.to(bet.id, bet.acceptingUserId),
});

const transactionRecordOf = (transaction: Transaction): TransactionRecord => ({
  userId: transaction.userId,
  amount: transaction.amount,
  transactionType: transaction.transactionType,
  transactionSource: transaction.transactionSource,
  betId: transaction.trail?.betId ?? null,
});

const trailRecordOf = (trail: TrailEntry): TrailRecord => ({
  betId: trail.betId,
  offerStatus: trail.offerStatus,
  outcome: trail.outcome,
  overrideOutcome: trail.overrideOutcome,
  effectiveAmount: trail.effectiveAmount,
  isByAdmin: trail.description.includes(' by admin 9 (ops@example.com): as agreed'),
});
