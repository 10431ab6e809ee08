import { afterEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { withTx } from '#platform/database/database.js';
import { expectBooksToBalance } from '#testing/books.js';
import { countLockWaits } from '#testing/databases.js';
import { ACCOUNT, fillLedger } from '#testing/full-ledger.js';
import { waitFor } from '#testing/wait-for.js';
import { withOpenLedger } from '#testing/with-open-ledger.js';
import { checkPortfolios, touchedUsers } from './portfolio.js';

const ALL_USERS = [1n, 2n, 3n];
const OPEN = 1n;

const ledger = withOpenLedger(fillLedger);

afterEach(() => expectBooksToBalance(ledger.environment.database));

const check = (userIds = ALL_USERS) =>
  withTx(ledger.driver.database, (tx) => checkPortfolios(tx, { accountId: ACCOUNT, userIds }));

const { query } = ledger;

/** Runs a statement in another transaction, which stays open until the returned function commits it. */
async function holding(sql: string): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: ledger.environment.database.url });
  await client.connect();
  await client.query('BEGIN');
  await client.query(sql);
  return async () => {
    await client.query('COMMIT');
    await client.end();
  };
}

describe('a check of portfolios', () => {
  it('finds no difference in a correct ledger, and waits for no lock', async () => {
    const release = await holding('SELECT * FROM wagers, balances FOR UPDATE');
    expect(await check()).toEqual([]);
    await release();
  });

  it('returns and repairs a wrong balance and exposure', async () => {
    const [ann] = await query('SELECT * FROM balances WHERE user_id = 1');
    const [bob] = await query('SELECT * FROM balances WHERE user_id = 2');
    await query('UPDATE balances SET balance = balance + 5 WHERE user_id = 1');
    await query('UPDATE balances SET balance = balance - 1, exposure = 0 WHERE user_id = 2');
    const [balance, exposure] = [BigInt(String(bob?.balance)), BigInt(String(bob?.exposure))];
    const annBalance = BigInt(String(ann?.balance));
    expect(await check()).toMatchObject([
      { userId: 1n, wagerId: null, what: 'balance', stored: annBalance + 5n, recomputed: annBalance },
      { userId: 2n, wagerId: null, what: 'balance', stored: balance - 1n, recomputed: balance },
      { userId: 2n, wagerId: null, what: 'exposure', stored: 0n, recomputed: exposure },
    ]);
    expect(await query('SELECT * FROM balances WHERE user_id IN (1, 2) ORDER BY user_id')).toEqual([ann, bob]);
    expect(await check()).toEqual([]);
  });

  it('returns and repairs positions: wrong, missing, and without bets', async () => {
    await query(`UPDATE positions SET offered = offered + 7 WHERE user_id = 1 AND wager_id = ${OPEN}`);
    await query(`DELETE FROM positions WHERE user_id = 3 AND wager_id = ${OPEN}`);
    await query('UPDATE positions SET win = -3, loss = 4 WHERE user_id = 2 AND wager_id = 2');
    const stored = { offered: 12_500_007n };
    expect(await check()).toMatchObject([
      { userId: 1n, wagerId: OPEN, what: 'offered', stored: stored.offered, recomputed: 12_500_000n },
      { userId: 2n, wagerId: 2n, what: 'loss', stored: 4n, recomputed: 0n },
      { userId: 2n, wagerId: 2n, what: 'win', stored: -3n, recomputed: 0n },
      { userId: 3n, wagerId: OPEN, what: 'loss', stored: 0n, recomputed: -3_000_000n },
      { userId: 3n, wagerId: OPEN, what: 'offered', stored: 0n, recomputed: 4_000_000n },
    ]);
    expect(await check()).toEqual([]);
  });

  it('checks the given users only', async () => {
    await query('UPDATE balances SET exposure = exposure + 1 WHERE user_id IN (1, 3)');
    expect(await check([1n, 2n])).toMatchObject([{ userId: 1n, what: 'exposure' }]);
    expect(await check([2n])).toEqual([]);
    expect(await check([3n])).toMatchObject([{ userId: 3n, what: 'exposure' }]);
  });

  it('locks in the order of all transactions: the wager before the balance', async () => {
    const release = await holding(`SELECT * FROM wagers WHERE id = ${OPEN} FOR NO KEY UPDATE`);
    await query(`UPDATE positions SET win = win + 1 WHERE user_id = 1 AND wager_id = ${OPEN}`);
    const repair = check();
    await waitFor(async () => (await countLockWaits({ query })) === 1);
    await query('SELECT * FROM balances FOR UPDATE NOWAIT');
    await release();
    expect(await repair).toMatchObject([{ userId: 1n, wagerId: OPEN, what: 'win' }]);
  });

  it('finds no difference while others are betting', async () => {
    let isOver = false;
    const betting = (async () => {
      for (let round = 0; !isOver; round += 1) {
        await ledger.driver.match('ann', 'bob', `round ${round}`, 1);
        await ledger.driver.match('cat', 'ann', `round ${round}`, 2);
        // By turns, so that all keep their money for any number of rounds.
        await ledger.driver.decide(`round ${round}`, round % 2 === 0 ? 'win' : 'loss');
      }
    })();
    for (let times = 0; times < 50; times += 1) expect(await check()).toEqual([]);
    isOver = true;
    await betting;
  });

  it('repairs while others are betting with the same users', async () => {
    let isOver = false;
    const betting = (async () => {
      while (!isOver) await ledger.driver.match('ann', 'bob', 'open', 0.001);
    })();
    for (let times = 0; times < 10; times += 1) {
      // Locks the wager: a bet that has read the position would overwrite this change.
      await query(`BEGIN; SELECT * FROM wagers WHERE id = ${OPEN} FOR NO KEY UPDATE;
                   UPDATE positions SET loss = loss + 1 WHERE user_id = 1 AND wager_id = ${OPEN}; COMMIT`);
      expect(await check()).toMatchObject([{ userId: 1n, wagerId: OPEN, what: 'loss' }]);
    }
    isOver = true;
    await betting;
    expect(await check()).toEqual([]);
  });
});

describe('the users with a position in a wager', () => {
  it('are read by id, some at a time', async () => {
    const wager = { accountId: ACCOUNT, wagerId: OPEN };
    expect(await touchedUsers(ledger.driver.database, { ...wager, afterUserId: 0n, limit: 2 })).toEqual([1n, 2n]);
    expect(await touchedUsers(ledger.driver.database, { ...wager, afterUserId: 2n, limit: 2 })).toEqual([3n]);
    expect(await touchedUsers(ledger.driver.database, { ...wager, afterUserId: 3n, limit: 2 })).toEqual([]);
    expect(
      await touchedUsers(ledger.driver.database, { accountId: 2n, wagerId: OPEN, afterUserId: 0n, limit: 2 }),
    ).toEqual([]);
  });
});
