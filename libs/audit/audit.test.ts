import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { withTx } from '#platform/database/database.js';
import { createTestEnvironment, type TestEnvironment } from '#testing/environment.js';
import {
  ACCOUNT,
  askForExports,
  fillLedger,
  type LedgerDriver,
  openAccount,
  openLedger,
} from '#testing/full-ledger.js';
import { runAudit } from './audit.js';
import { createDailyAudit } from './daily-audit.js';
import { checkPortfolios } from './portfolio.js';
import { linesOfDifferences } from './report.js';

let environment: TestEnvironment;
let driver: LedgerDriver;

beforeAll(async () => {
  environment = await createTestEnvironment();
  driver = openLedger(environment.database, environment.logger);
  await openAccount(environment.database, driver);
  await fillLedger(driver);
  await askForExports(environment.database);
  await environment.database.query('UPDATE balances SET balance = balance + 5 WHERE user_id = 1');
  await withTx(driver.database, (tx) => checkPortfolios(tx, { accountId: ACCOUNT, userIds: [1n] }));
  const dayAfterTomorrow = new Date(Date.now() + 2 * 86_400_000);
  await createDailyAudit({ database: driver.database, logger: environment.logger, now: () => dayAfterTomorrow })();
});

afterAll(async () => {
  await driver?.close();
  await environment?.close();
});

describe('the audit of a ledger with every kind of row, and a repaired balance', () => {
  it('finds no difference, and compares something in each check', async () => {
    const { findings } = await runAudit(driver.database);
    expect(linesOfDifferences(findings)).toEqual([]);
    expect(findings.filter(({ compared }) => compared === 0)).toEqual([]);
    expect(findings.length).toBeGreaterThan(20);
  });

  it('finds no difference while others are betting', async () => {
    let isOver = false;
    const betting = (async () => {
      for (let round = 0; !isOver; round += 1) {
        await driver.match('ann', 'bob', `round ${round}`, 1);
        await driver.decide(`round ${round}`, 'win');
      }
    })();
    for (let times = 0; times < 5; times += 1) {
      expect(linesOfDifferences((await runAudit(driver.database)).findings)).toEqual([]);
    }
    isOver = true;
    await betting;
  });
});
