import { beforeAll, describe, expect, it } from '@jest/globals';
import { eventKinds } from '#core/records.js';
import { indexNextBlocks } from '#events/event-index.js';
import { armTimer } from '#ledger/cancel-timers.js';
import { openDatabase, withTx } from '#platform/database/database.js';
import { ACCOUNT, addWebhookEndpoints, askForExports, fillLedger } from '#testing/full-ledger.js';
import { decisionOf } from '#testing/ledger-fixture.js';
import { auditAt } from '#testing/nightly-audit.js';
import { requestRow, requestTold } from '#testing/request-rows.js';
import { withOpenLedger } from '#testing/with-open-ledger.js';
import { runAudit } from './audit.js';
import { correctBalance } from './correct-balance.js';
import { checkPortfolios } from './portfolio.js';
import { linesOfDifferences } from './report.js';

const ledger = withOpenLedger(fillLedger);

beforeAll(async () => {
  await askForExports(ledger.environment.database);
  await addWebhookEndpoints(ledger.environment.database);
  await armTimer(ledger.driver.database, { accountId: ACCOUNT, userId: null }, 300);
  await ledger.driver.match('ann', 'bob', 'voided', 1);
  await ledger.driver.run({ ...decisionOf('voided'), voidMatchedAfter: 0n });
  await ledger.environment.database.query('UPDATE balances SET balance = balance + 5 WHERE user_id = 3');
  await withTx(ledger.driver.database.of(ACCOUNT), (tx) => checkPortfolios(tx, { accountId: ACCOUNT, userIds: [3n] }));
  await ledger.environment.database.query('UPDATE balances SET balance = balance - 5 WHERE user_id = 3');
  await ledger.environment.database.query('UPDATE balances SET balance = balance + 5 WHERE user_id = 2');
  const cause = { actor: 'command:audit', requestId: null } as const;
  const correction = { accountId: ACCOUNT, userId: 2n, keep: 'transactions', reason: 'overwritten', cause } as const;
  await withTx(ledger.driver.database.of(ACCOUNT), (tx) => correctBalance(tx, correction));
  for (const sql of [requestRow('rejected'), requestTold([40]), requestTold([43])]) {
    await ledger.environment.database.query(sql);
  }
  // Events fill a block of the index.
  await ledger.query(`
    SELECT append_group(${ACCOUNT}, array_fill(${eventKinds['user.updated']}::smallint, ARRAY[1024]), array_fill(1::bigint, ARRAY[1024]),
                        '1024 worker -', NULL)`);
  while (await indexNextBlocks(ledger.driver.database, ACCOUNT));
  const dayAfterTomorrow = new Date(Date.now() + 2 * 86_400_000);
  await auditAt({ database: ledger.driver.database, logger: ledger.environment.logger }, dayAfterTomorrow);
});

describe('the audit of a ledger with every kind of row, a disputed balance and a corrected one', () => {
  it('finds no difference, and compares something in each check', async () => {
    const { findings } = await runAudit(ledger.driver.database);
    expect(linesOfDifferences(findings)).toEqual([]);
    expect(findings.filter(({ compared }) => compared === 0)).toEqual([]);
    expect(findings.length).toBeGreaterThan(20);
  });

  it('is dated by the clock of the primary, also when it reads a standby whose clock is ahead', async () => {
    await ledger.environment.database.query(`
      CREATE SCHEMA ahead;
      CREATE FUNCTION ahead.now() RETURNS timestamptz LANGUAGE sql STABLE
        AS $$ SELECT pg_catalog.now() + interval '1 hour' $$`);
    const primary = ledger.driver.database;
    const url = new URL(ledger.environment.database.url);
    url.searchParams.set('options', '-c search_path=ahead,public,pg_catalog');
    const standby = openDatabase({ url: url.href, connections: 1, onConnectionError: () => undefined });
    const { audited } = await runAudit(primary, { read: (use) => use(standby) });
    await standby.disconnect();
    const [{ now } = { now: undefined }] = await ledger.environment.database.query('SELECT now() AS now');
    expect(audited.map(({ auditedAt }) => auditedAt <= (now as Date))).toEqual([true]);
  });

  it('finds no difference while others are betting', async () => {
    let isOver = false;
    const betting = (async () => {
      for (let round = 0; !isOver; round += 1) {
        await ledger.driver.match('ann', 'bob', `round ${round}`, 1);
        // By turns, so that both keep their money for any number of rounds.
        await ledger.driver.decide(`round ${round}`, round % 2 === 0 ? 'win' : 'loss');
      }
    })();
    for (let times = 0; times < 5; times += 1) {
      expect(linesOfDifferences((await runAudit(ledger.driver.database)).findings)).toEqual([]);
    }
    isOver = true;
    await betting;
  });
});
