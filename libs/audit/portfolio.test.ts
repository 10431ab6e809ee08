import { afterEach, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { eventKinds } from '#core/records.js';
import { withTx } from '#platform/database/database.js';
import { expectBooksToBalance } from '#testing/books.js';
import { micros } from '#testing/core/builders.js';
import { countLockWaits, holding } from '#testing/databases.js';
import { ACCOUNT, fillLedger } from '#testing/full-ledger.js';
import { waitFor } from '#testing/wait-for.js';
import { withOpenLedger } from '#testing/with-open-ledger.js';
import { checkPortfolios, touchedUsers } from './portfolio.js';

const ALL_USERS = [1n, 2n, 3n];
const OPEN = 1n;
const withdrawal = { type: 'withdraw', amount: micros(1), description: 'Withdrawal' } as const;

const ledger = withOpenLedger(fillLedger);

afterEach(() => expectBooksToBalance(ledger.environment.database));

const check = (userIds = ALL_USERS) =>
  withTx(ledger.driver.database.of(ACCOUNT), (tx) => checkPortfolios(tx, { accountId: ACCOUNT, userIds }));

const { query } = ledger;

const amounts = z.object({ balance: z.coerce.bigint(), exposure: z.coerce.bigint() });

/** Of ann, bob and cat. */
const figures = async () =>
  z
    .tuple([amounts, amounts, amounts])
    .parse(await query(`SELECT balance, exposure FROM balances WHERE account_id = ${ACCOUNT} ORDER BY user_id`));

const disputed = async () =>
  (await query('SELECT user_id FROM balances WHERE disputed_since IS NOT NULL ORDER BY user_id')).map((row) =>
    BigInt(String(row.user_id)),
  );

/** How many events say that a dispute began or ended. */
const logged = async () =>
  Number(
    (
      await query(`SELECT count(*) AS n FROM event_groups g CROSS JOIN unnest(g.kinds) AS kind
                    WHERE kind IN (${eventKinds['user.disputed']}, ${eventKinds['user.undisputed']})`)
    )[0]?.n,
  );

describe('a check of portfolios', () => {
  it('finds no difference in a correct ledger, and waits for no lock', async () => {
    const locked = 'SELECT * FROM wagers, balances FOR UPDATE';
    expect(await holding(ledger.environment.database, locked, () => check())).toEqual([]);
  });

  it('returns a wrong balance and exposure, disputes both users, and changes no figure', async () => {
    const [ann, bob] = await figures();
    await query('UPDATE balances SET balance = balance + 5 WHERE user_id = 1');
    await query('UPDATE balances SET balance = balance - 1, exposure = 0 WHERE user_id = 2');
    const wrong = await figures();
    const found = [
      { userId: 1n, wagerId: null, what: 'balance', stored: ann.balance + 5n, recomputed: ann.balance },
      { userId: 2n, wagerId: null, what: 'balance', stored: bob.balance - 1n, recomputed: bob.balance },
      { userId: 2n, wagerId: null, what: 'exposure', stored: 0n, recomputed: bob.exposure },
    ];
    expect(await check()).toMatchObject(found);
    expect(await figures()).toEqual(wrong);
    expect(await disputed()).toEqual([1n, 2n]);
    // Again: the same differences, and no second event.
    const events = await logged();
    expect(await check()).toMatchObject(found);
    expect(await logged()).toEqual(events);
    await query('UPDATE balances SET balance = balance - 5 WHERE user_id = 1');
    await query(`UPDATE balances SET balance = balance + 1, exposure = ${bob.exposure} WHERE user_id = 2`);
    expect(await check()).toEqual([]);
    expect(await disputed()).toEqual([]);
    expect(await figures()).toEqual([ann, bob, expect.anything()]);
    expect((await logged()) - events).toBe(2);
  });

  it('misses no row of a lone offer, and returns an empty row beside it, or a row that two offers lack', async () => {
    const { offer } = ledger.driver;
    await offer('cat', 'alone', 5);
    const [{ id: wagerId } = {}] = await query(`SELECT id FROM wagers WHERE reference = 'alone'`);
    const ofCat = `WHERE user_id = 3 AND wager_id = ${wagerId}`;
    const insertRow = (offered: number) =>
      query(
        `INSERT INTO positions (account_id, user_id, wager_id, offered) VALUES (${ACCOUNT}, 3, ${wagerId}, ${offered})`,
      );
    /** Both must find it, or neither. */
    const expectMissing = async (offered: number) => {
      expect((await check()).map(({ what, stored, recomputed }) => [what, stored, recomputed])).toEqual([
        ['offered', 0n, BigInt(offered)],
      ]);
      const said = `has an empty position or none; the bets come to win 0, loss 0, offered ${offered / 1e6}`;
      await expect(expectBooksToBalance(ledger.environment.database)).rejects.toThrow(said);
    };
    expect(await query(`SELECT FROM positions ${ofCat}`)).toEqual([]);
    expect(await check()).toEqual([]);
    await insertRow(0);
    await expectMissing(5_000_000);
    await query(`DELETE FROM positions ${ofCat}`);
    expect(await check()).toEqual([]);
    await offer('cat', 'alone', 5);
    await query(`DELETE FROM positions ${ofCat}`);
    await expectMissing(10_000_000);
    await insertRow(10_000_000);
    expect(await check()).toEqual([]);
  });

  it('returns positions: wrong, missing, and without bets', async () => {
    const restore = await query('SELECT * FROM positions');
    await query(`UPDATE positions SET offered = offered + 7 WHERE user_id = 1 AND wager_id = ${OPEN}`);
    await query(`DELETE FROM positions WHERE user_id = 3 AND wager_id = ${OPEN}`);
    await query('UPDATE positions SET win = -3, loss = 4 WHERE user_id = 2 AND wager_id = 2');
    expect(await check()).toMatchObject([
      { userId: 1n, wagerId: OPEN, what: 'offered', stored: 12_500_007n, recomputed: 12_500_000n },
      { userId: 2n, wagerId: 2n, what: 'loss', stored: 4n, recomputed: 0n },
      { userId: 2n, wagerId: 2n, what: 'win', stored: -3n, recomputed: 0n },
      { userId: 3n, wagerId: OPEN, what: 'loss', stored: 0n, recomputed: -3_000_000n },
      { userId: 3n, wagerId: OPEN, what: 'offered', stored: 0n, recomputed: 4_000_000n },
    ]);
    expect(await disputed()).toEqual([1n, 2n, 3n]);
    await query('DELETE FROM positions');
    for (const { account_id, user_id, wager_id, win, loss, offered } of restore) {
      await query(`INSERT INTO positions (account_id, user_id, wager_id, win, loss, offered)
                   VALUES (${account_id}, ${user_id}, ${wager_id}, ${win}, ${loss}, ${offered})`);
    }
    expect(await check()).toEqual([]);
    expect(await disputed()).toEqual([]);
  });

  it('checks the given users only', async () => {
    await query('UPDATE balances SET exposure = exposure + 1 WHERE user_id IN (1, 3)');
    expect(await check([1n, 2n])).toMatchObject([{ userId: 1n, what: 'exposure' }]);
    expect(await check([2n])).toEqual([]);
    expect(await check([3n])).toMatchObject([{ userId: 3n, what: 'exposure' }]);
    expect(await disputed()).toEqual([1n, 3n]);
    await query('UPDATE balances SET exposure = exposure - 1 WHERE user_id IN (1, 3)');
    expect(await check([3n])).toEqual([]);
    expect(await disputed()).toEqual([1n]);
    expect(await check()).toEqual([]);
  });

  it('a disputed user commits and withdraws nothing; money in, cancels and settlement go on', async () => {
    const own = await ledger.driver.offer('bob', 'disputed', 1);
    await ledger.driver.match('ann', 'bob', 'disputed', 1);
    await query('UPDATE balances SET balance = balance + 5 WHERE user_id = 2');
    await check([2n]);
    const before = await figures();
    const [last] = await query('SELECT max(id) AS id FROM transactions');
    const refusal = 'the balance of the user is disputed';
    await expect(ledger.driver.offer('bob', 'disputed', 1)).rejects.toThrow(refusal);
    await expect(ledger.driver.accept('bob', await ledger.driver.offer('cat', 'other', 1), 1)).rejects.toThrow(refusal);
    await expect(ledger.driver.run({ ...withdrawal, user: { reference: 'bob' } })).rejects.toThrow(refusal);
    expect((await figures())[1]).toEqual(before[1]);
    await ledger.driver.accept('cat', own, 1);
    await ledger.driver.fund('bob', 3);
    await ledger.driver.decide('disputed', 'win');
    expect((await figures())[1].balance).not.toBe(before[1].balance);
    expect(await check([2n])).toMatchObject([{ what: 'balance' }]);
    await query('UPDATE balances SET balance = balance - 5 WHERE user_id = 2');
    // What moved meanwhile shows the wrong balance after it, which no statement of the ledger can change.
    await query(`SET session_replication_role = replica;
                 UPDATE transactions SET balance_after = balance_after - 5 WHERE user_id = 2 AND id > ${last?.id};
                 SET session_replication_role = DEFAULT`);
    expect(await check([2n])).toEqual([]);
    await ledger.driver.offer('bob', 'other', 1);
  });

  it('waits for the balance of the user alone, not for its wagers', async () => {
    const { database } = ledger.environment;
    await query(`UPDATE positions SET win = win + 1 WHERE user_id = 1 AND wager_id = ${OPEN}`);
    const found = await holding(database, 'SELECT * FROM wagers FOR UPDATE', () => check());
    expect(found).toMatchObject([{ userId: 1n, wagerId: OPEN, what: 'win' }]);
    await query(`UPDATE positions SET win = win - 1 WHERE user_id = 1 AND wager_id = ${OPEN}`);
    const balance = 'SELECT * FROM balances WHERE user_id = 1 FOR NO KEY UPDATE';
    await holding(database, balance, async (release) => {
      const ending = check();
      await waitFor(async () => (await countLockWaits({ query })) === 1);
      await release();
      expect(await ending).toEqual([]);
    });
    expect(await disputed()).toEqual([]);
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
});

describe('the users with a position in a wager', () => {
  it('are read by id, some at a time', async () => {
    const wager = { accountId: ACCOUNT, wagerId: OPEN };
    expect(await touchedUsers(ledger.driver.database.of(ACCOUNT), { ...wager, afterUserId: 0n, limit: 2 })).toEqual([
      1n,
      2n,
    ]);
    expect(await touchedUsers(ledger.driver.database.of(ACCOUNT), { ...wager, afterUserId: 2n, limit: 2 })).toEqual([
      3n,
    ]);
    expect(await touchedUsers(ledger.driver.database.of(ACCOUNT), { ...wager, afterUserId: 3n, limit: 2 })).toEqual([]);
    expect(
      await touchedUsers(ledger.driver.database.of(ACCOUNT), {
        accountId: 2n,
        wagerId: OPEN,
        afterUserId: 0n,
        limit: 2,
      }),
    ).toEqual([]);
  });
});
