import { expect, it } from '@jest/globals';
import { expectBooksToBalance } from '#testing/books.js';
import { fillLedger } from '#testing/full-ledger.js';
import { auditAt } from '#testing/nightly-audit.js';
import { withOpenLedger } from '#testing/with-open-ledger.js';

const ledger = withOpenLedger(fillLedger);
const { query } = ledger;

const ROWS: Record<string, readonly string[]> = {
  event_groups: ['at'],
  event_heads: ['last_at'],
  bet_trails: ['created_at'],
  transactions: ['created_at'],
  bets: ['created_at', 'updated_at'],
  wagers: ['created_at', 'updated_at'],
};
const CLOSINGS: Record<string, readonly string[]> = {
  account_closings: ['closed_at', 'audit_due_since'],
  daily_reconciliations: ['audited_at'],
};

/** As if everything had happened earlier: what came after a moment, or all. */
const moveBack = (hours: number, tables: Record<string, readonly string[]>, since = '-infinity') =>
  Object.entries(tables).map(
    ([table, columns]) => `
      ALTER TABLE ${table} DISABLE TRIGGER USER;
      UPDATE ${table} SET ${columns
        .map(
          (each) =>
            `${each} = CASE WHEN ${each} > '${since}' THEN ${each} - interval '${hours} hours' ELSE ${each} END`,
        )
        .join()};
      ALTER TABLE ${table} ENABLE TRIGGER USER;`,
  );

/** In two steps, because one day's key may be that of the next. */
const aDayEarlier = (table: string) => `
  ALTER TABLE ${table} DISABLE TRIGGER USER;
  UPDATE ${table} SET day = day - 1000; UPDATE ${table} SET day = day + 999;
  ALTER TABLE ${table} ENABLE TRIGGER USER;`;

const passDay = () =>
  query(`BEGIN; ${moveBack(24, { ...ROWS, ...CLOSINGS }).join('')}
         UPDATE account_closings SET day = day - 1 WHERE day > '1970-01-01';
         ${aDayEarlier('daily_closings')} ${aDayEarlier('daily_reconciliations')} COMMIT`);

/** Everything that an account can do to a wager, over some nights. */
const activity = async (turn: number) => {
  const { match, decide, offer, accept, cancel, force, fund, override, setActive } = ledger.driver;
  await fund('ann', 5);
  const bet = await match('ann', 'bob', `w${turn}`, 3, 1.5);
  const split = await offer('bob', `w${turn}`, 2);
  await accept('cat', split, 1);
  await cancel('ann', await offer('ann', `w${turn}`, 2), 1);
  if (turn % 2 === 0) await decide(`w${turn}`, 'win');
  if (turn > 3) await force(`w${turn - 3}`, turn % 4 === 0 ? 'half-win' : 'loss');
  if (turn % 3 === 0) await override(bet, 'loss');
  if (turn % 5 === 0) await setActive(bet, false);
};

const wrongCuts = `
  SELECT c.account_id FROM account_closings c JOIN event_heads h USING (account_id)
   WHERE c.last_event_seq < h.last_seq AND NOT EXISTS (
           SELECT FROM event_groups g CROSS JOIN unnest(g.kinds, g.refs) AS e (kind, ref)
            WHERE g.account_id = c.account_id AND g.first_seq = c.last_event_seq + 1
              AND (e.kind BETWEEN 4 AND 13 AND e.ref > c.last_trail_id OR e.kind = 3 AND e.ref > c.last_transaction_id))
      OR EXISTS (
           SELECT FROM event_groups g CROSS JOIN unnest(g.kinds, g.refs) AS e (kind, ref)
            WHERE g.account_id = c.account_id AND g.last_seq <= c.last_event_seq
              AND (e.kind BETWEEN 4 AND 13 AND e.ref > c.last_trail_id OR e.kind = 3 AND e.ref > c.last_transaction_id))`;

const moment = async () => String((await query('SELECT clock_timestamp()::text AS at'))[0]?.at);

const twoOClock = () => new Date(new Date().setUTCHours(2, 0, 0, 0));
const audit = () => auditAt({ database: ledger.driver.database, logger: ledger.environment.logger }, twoOClock());

it('closes eight nights in a row, with bets before midnight, and between midnight and the audit', async () => {
  const midnight = new Date();
  midnight.setUTCHours(0, 0, 0, 0);
  // Some activity of each night is of the day that its audit closes, some of the day after.
  const sinceMidnight = Math.ceil((Date.now() - midnight.getTime()) / 3_600_000) + 1;
  // By two days: in the last hour of a day, the activity before midnight moves back by 25 hours, and must stay the later one.
  await passDay();
  await passDay();
  for (let night = 0; night < 8; night += 1) {
    const beforeMidnight = await moment();
    await activity(3 * night);
    await activity(3 * night + 1);
    await query(`BEGIN; ${moveBack(sinceMidnight, ROWS, beforeMidnight).join('')} COMMIT`);
    const afterMidnight = await moment();
    await activity(3 * night + 2);
    // Ten minutes past midnight: long before the audit.
    const sinceThen = (Date.now() - midnight.getTime()) / 3_600_000 - 1 / 6;
    await query(`BEGIN; ${moveBack(sinceThen, ROWS, afterMidnight).join('')} COMMIT`);
    expect([night, await audit()]).toEqual([night, expect.objectContaining({ closedAccounts: 1 })]);
    expect(await query(wrongCuts)).toEqual([]);
    await passDay();
  }
  const verdicts = await query('SELECT failed_checks FROM daily_reconciliations ORDER BY day');
  expect(verdicts).toEqual(Array(8).fill({ failed_checks: 0 }));
  await expectBooksToBalance(ledger.environment.database);
});

it('finds a group of events that was lost right after a closing', async () => {
  expect(await audit()).toMatchObject({ closedAccounts: 1 });
  // As an update of a user, to which nothing else refers.
  await query('UPDATE event_heads SET last_seq = last_seq + 1');
  await ledger.driver.fund('ann', 5);
  await passDay();
  await expect(audit()).rejects.toThrow(/the numbers of the log have no gap[^:]*: 1 of 1 event logs/);
});
