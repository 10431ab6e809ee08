import { beforeAll, describe, expect, it } from '@jest/globals';
import type { UserFilters } from '#accounts/users/user.js';
import { findUser } from '#accounts/users/user-repository.js';
import { cursorOfRead, withAsOf } from '#events/event-position.js';
import { referenceOfTransaction } from '#ledger/transaction-reference.js';
import { type Database, withTx } from '#platform/database/database.js';
import { micros, odds } from '#testing/core/builders.js';
import { ACCOUNT, type Bets, fillLedger } from '#testing/full-ledger.js';
import { numbered, placed } from '#testing/list-pages.js';
import { withOpenLedger } from '#testing/with-open-ledger.js';
import type { HistoryRequest, OpenBetsRequest, TrailsWanted } from './bet.js';
import { listHistory } from './bet-history.js';
import { listOpenBets } from './open-bet-list.js';
import { readOrderBook } from './order-book.js';
import { listPositions } from './position-list.js';
import { accountOfBet, readBet } from './read-bet.js';
import { readTransaction } from './read-transaction.js';
import { readWager, readWagerWithBook } from './read-wager.js';
import { readReconciliation } from './reconciliation.js';
import { openStatement } from './statement.js';
import type { TransactionKey } from './transaction.js';
import { listTransactions } from './transaction-list.js';
import { listUsers } from './user-list.js';
import { listWagers } from './wager-list.js';

// One bet, one transaction and one wager, and the position in the log that reads name for what they show.

const OTHER = 2n;
let bets: Bets;
const ledger = withOpenLedger(async (driver) => {
  bets = await fillLedger(driver);
});
const database = () => ledger.driver.database;

beforeAll(() => ledger.query(`INSERT INTO accounts (id, name, email) VALUES (${OTHER}, 'b', 'b@example.com')`));

describe('a bet', () => {
  const read = (id: bigint, trails: TrailsWanted = 'none', accountId = ACCOUNT) =>
    readBet(database(), accountId, { id, trails });

  it('is shown with its wager, its users and what was matched', async () => {
    const { bet } = await read(bets.won);
    expect(bet).toMatchObject({
      id: bets.won,
      offerStatus: 'accepted',
      requestingUserReference: 'ann',
      acceptingUserReference: 'bob',
      requestingAmount: micros(12.345678),
      effectiveOdds: odds(2.000001),
      effectiveAmount: micros(12.345678),
      wagerReference: 'won',
      wagerOutcome: 'win',
      overrideOutcome: null,
      isActive: true,
    });
  });

  it('that nobody has accepted has no acceptor', async () => {
    const { bet } = await read(bets.open);
    expect(bet).toMatchObject({ acceptingUserId: null, acceptingUserReference: null, effectiveOdds: null });
  });

  it('names who alone may accept it', async () => {
    expect((await read(bets.forBob)).bet.allowedAcceptorIds).toEqual([2n]);
    expect((await read(bets.open)).bet.allowedAcceptorIds).toEqual([]);
  });

  it('has no trails unless they are asked for', async () => {
    expect((await read(bets.won)).trails).toBeUndefined();
  });

  it('has its own trails, in the order in which they were written', async () => {
    const { trails } = await read(bets.won, 'trails');
    expect(trails?.map(({ description }) => description)).toEqual(['Offer made', 'Offer accepted', 'Bet settled: win']);
    expect(trails?.map(({ betId }) => betId)).toEqual([bets.won, bets.won, bets.won]);
  });

  it('has trails without transactions unless they are asked for', async () => {
    const { trails } = await read(bets.won, 'trails');
    expect(trails?.flatMap(({ transactions }) => transactions)).toEqual([]);
  });

  it('has the transactions of each trail with it', async () => {
    const { trails } = await read(bets.won, 'with transactions');
    expect(trails?.slice(0, 2).flatMap(({ transactions }) => transactions)).toEqual([]);
    expect(trails?.at(-1)?.transactions).toMatchObject([
      { userReference: 'ann', transactionType: 'credit', betTrailId: trails?.at(-1)?.id },
      { userReference: 'bob', transactionType: 'debit', betTrailId: trails?.at(-1)?.id },
    ]);
  });

  it('is the same in the history, with the same trails', async () => {
    const { items } = await historyOf({ trails: 'with transactions' });
    const found = items.find(({ bet }) => bet.id === bets.overridden);
    expect(found).toMatchObject(await read(bets.overridden, 'with transactions'));
  });

  it('of another account is as unknown as one that there is not', async () => {
    await expect(read(bets.won, 'none', OTHER)).rejects.toThrow('Bet not found');
    await expect(read(bets.won, 'with transactions', OTHER)).rejects.toThrow('Bet not found');
    await expect(read(999_999n)).rejects.toThrow('Bet not found');
  });

  it('has an account, which admins look up', async () => {
    expect(await accountOfBet(database(), bets.won)).toBe(ACCOUNT);
    await expect(accountOfBet(database(), 999_999n)).rejects.toThrow('Bet not found');
  });
});

describe('a transaction', () => {
  const read = (key: TransactionKey, accountId = ACCOUNT) => readTransaction(database().of(accountId), accountId, key);

  it('is read by its id and by its reference', async () => {
    const [row] = await ledger.query(`SELECT id FROM transactions WHERE transaction_source = 'withdrawal'`);
    const id = BigInt(String(row?.id));
    const { createdAt } = await read({ id });
    const shown = { id, userReference: 'cat', amount: micros(1), transactionType: 'debit', balanceAfter: micros(999) };
    expect(await read({ id })).toMatchObject(shown);
    expect(await read({ reference: referenceOfTransaction({ id, createdAt }) })).toMatchObject(shown);
    const earlier = new Date(createdAt.getTime() - 1);
    await expect(read({ reference: referenceOfTransaction({ id, createdAt: earlier }) })).rejects.toThrow('not found');
  });

  it('of another account is as unknown as one that there is not', async () => {
    await expect(read({ id: 1n }, OTHER)).rejects.toThrow('Transaction not found');
    const { reference } = await read({ id: 1n });
    await expect(read({ reference }, OTHER)).rejects.toThrow('Transaction not found');
    await expect(read({ reference: 'none' })).rejects.toThrow('Transaction not found');
    await expect(read({ id: 999_999n })).rejects.toThrow('Transaction not found');
  });
});

describe('a wager', () => {
  const read = (reference: string, accountId = ACCOUNT) => readWager(database().of(accountId), accountId, reference);

  it.each([
    ['undecided', 'open', { bets: 4, settled: 0, remaining: 0 }],
    ['settled', 'pushed', { bets: 1, settled: 1, remaining: 0 }],
    ['being settled', 'settling', { bets: 2, settled: 0, remaining: 3 }],
  ])('that is %s says how far its bets are', async (_state, reference, settlement) => {
    expect((await read(reference)).settlement).toEqual(settlement);
  });

  it('counts a bet that was overridden as settled', async () => {
    await ledger.driver.match('ann', 'bob', 'early', 1);
    const early = await ledger.driver.match('ann', 'bob', 'early', 1);
    await ledger.driver.override(early, 'win');
    expect((await read('early')).settlement).toEqual({ bets: 2, settled: 1, remaining: 0 });
    await ledger.driver.setActive(early, false);
    expect((await read('early')).settlement).toEqual({ bets: 2, settled: 0, remaining: 0 });
  });

  it('says since when it is settled', async () => {
    expect((await read('settling')).wager.settlingSince).toBeInstanceOf(Date);
    expect((await read('won')).wager.settlingSince).toBeNull();
  });

  it('is read with its book, both of one moment', async () => {
    const matching = Promise.all(Array.from({ length: 12 }, () => ledger.driver.match('ann', 'bob', 'busy', 0.01)));
    await ledger.driver.match('ann', 'bob', 'busy', 0.01);
    for (let time = 0; time < 12; time += 1) {
      const request = { reference: 'busy', depth: 3, userId: undefined };
      const { settlement, book } = await readWagerWithBook(database(), ACCOUNT, request);
      expect(settlement.bets).toBe(Number(book.matchedBets));
    }
    await matching;
  });

  it('of another account is as unknown as one that there is not', async () => {
    await expect(read('won', OTHER)).rejects.toThrow('Wager not found');
    await expect(read('nothing')).rejects.toThrow('Wager not found');
  });
});

const shared = {
  accountIds: [ACCOUNT],
  wagerReferences: undefined,
  userIds: undefined,
  userReferences: undefined,
  createdFrom: undefined,
  createdUntil: undefined,
  sortBy: 'created_at' as const,
  descending: false,
  page: numbered(1, 100),
};
const historyOf = (given: Partial<HistoryRequest>, from = database()) =>
  listHistory(from, { ...shared, outcomes: undefined, trails: 'none', ...given });
const openBetsOf = (given: Partial<OpenBetsRequest>, from = database()) => listOpenBets(from, { ...shared, ...given });

describe('the position that a read names', () => {
  type Read = (from: Database) => Promise<unknown>;

  const positionAfter = async (read: Read) => {
    const { asOf } = await withAsOf(database(), read);
    return asOf && cursorOfRead(asOf);
  };
  const headNow = () => positionAfter((from) => findUser(from.of(ACCOUNT), ACCOUNT, { id: 1n }));
  const transactionsSince =
    (createdFrom: Date | undefined): Read =>
    (from) =>
      listTransactions(from, ACCOUNT, { ...shared, type: undefined, source: undefined, createdFrom });
  const wagersOf =
    (accountIds: readonly bigint[]): Read =>
    (from) =>
      listWagers(from, { ...shared, accountIds, outcomes: undefined, references: undefined, isSettling: undefined });
  const dayOf =
    (day: string): Read =>
    (from) =>
      withTx(from.of(ACCOUNT), (tx) => readReconciliation(tx, ACCOUNT, day), 'RepeatableRead');
  const user = { accountId: ACCOUNT, user: { reference: 'ann' }, from: new Date(0), to: undefined };
  const allUsers: UserFilters = { search: undefined, meta: {}, sortBy: 'id', sortOrder: 'asc' };

  const reads: Readonly<Record<string, Read>> = {
    bet: (from) => readBet(from, ACCOUNT, { id: bets.won, trails: 'none' }),
    'bet with trails': (from) => readBet(from, ACCOUNT, { id: bets.won, trails: 'trails' }),
    transaction: (from) => readTransaction(from.of(ACCOUNT), ACCOUNT, { id: 1n }),
    wager: (from) => readWager(from.of(ACCOUNT), ACCOUNT, 'won'),
    book: (from) => readOrderBook(from.of(ACCOUNT), ACCOUNT, { reference: 'open', depth: 1, userId: undefined }),
    statement: (from) => openStatement(from.of(ACCOUNT), user),
    'day that is not over': dayOf('2099-01-01'),
    users: (from) => listUsers(from, ACCOUNT, { ...allUsers, page: shared.page }),
    positions: (from) => listPositions(from, ACCOUNT, { userId: 1n, page: shared.page }),
    'open bets': (from) => openBetsOf({}, from),
    'open bets of a wager': (from) => openBetsOf({ wagerReferences: ['open'] }, from),
    history: (from) => historyOf({}, from),
    'history with trails': (from) => historyOf({ trails: 'trails' }, from),
    'history of users': (from) => historyOf({ userReferences: ['ann', 'bob'] }, from),
    'page behind the end': (from) => historyOf({ page: numbered(1_000, 20) }, from),
    'page by cursor': (from) => historyOf({ page: placed(undefined, 20) }, from),
    'page without a row': transactionsSince(new Date('2099-01-01')),
    transactions: transactionsSince(undefined),
    wagers: wagersOf([ACCOUNT]),
  };

  it.each(Object.keys(reads))('is the last event: %s', async (name) => {
    const head = await headNow();
    expect(head).toBeDefined();
    expect(await positionAfter(reads[name] as Read)).toBe(head);
  });

  it('is another one after the next change', async () => {
    const before = await positionAfter(reads['open bets'] as Read);
    await ledger.driver.offer('ann', 'open', 1);
    expect(await positionAfter(reads['open bets'] as Read)).not.toBe(before);
  });

  it.each<[string, Read]>([
    ['a list of several accounts', wagersOf([ACCOUNT, OTHER])],
    ['a list of a user that is unknown', (from) => historyOf({ userReferences: ['ann', 'nobody'] }, from)],
    ['a list of a wager that is unknown', (from) => openBetsOf({ wagerReferences: ['never'] }, from)],
    ['a past day, which shows what an audit finds', dayOf('2020-01-01')],
  ])('is none for %s', async (_what, read) => {
    expect(await positionAfter(read)).toBeUndefined();
  });
});

describe('the trails of a bet', () => {
  const readOpen = () => readBet(database(), ACCOUNT, { id: bets.open, trails: 'trails' });
  const insertTrails = (count: number) =>
    ledger.query(`
      INSERT INTO bet_trails (account_id, bet_id, wager_id, offer_status, description, outcome, requesting_odds, requesting_amount)
      SELECT account_id, id, wager_id, offer_status, 'More', 'undecided', requesting_odds, requesting_amount
        FROM bets, generate_series(1, ${count}) WHERE id = ${bets.open}`);

  it('are all shown when they are 2,000', async () => {
    await insertTrails(1_999);
    expect((await readOpen()).trails).toHaveLength(2_000);
  });

  it('are refused when they are more', async () => {
    await insertTrails(1);
    await expect(readOpen()).rejects.toMatchObject({ code: 'too-many-trails' });
    await expect(historyOf({ trails: 'trails' })).rejects.toMatchObject({ code: 'too-many-trails' });
  });

  it('are shown of the other bets of its list, and the list without trails', async () => {
    const others = await historyOf({ trails: 'trails', wagerReferences: ['won'] });
    expect(others.items.every(({ trails }) => (trails ?? []).length > 0)).toBe(true);
    expect((await historyOf({})).items.map(({ bet }) => bet.id)).toContain(bets.open);
  });
});
