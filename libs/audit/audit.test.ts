import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestEnvironment, type TestEnvironment } from '#testing/environment.js';
import { fillLedger, type LedgerHands, openAccount, openLedger } from '#testing/full-ledger.js';
import { runAudit } from './audit.js';
import { linesOfDifferences } from './report.js';

let environment: TestEnvironment;
let hands: LedgerHands;

beforeAll(async () => {
  environment = await createTestEnvironment();
  hands = openLedger(environment.database, environment.logger);
  await openAccount(environment.database, hands);
  await fillLedger(hands);
});

afterAll(async () => {
  await hands?.close();
  await environment?.close();
});

describe('the audit of a ledger with every kind of row', () => {
  it('finds no difference, and compares something in each check', async () => {
    const { findings } = await runAudit(hands.database);
    expect(linesOfDifferences(findings)).toEqual([]);
    expect(findings.filter(({ compared }) => compared === 0)).toEqual([]);
    expect(findings.length).toBeGreaterThan(20);
  });

  it('finds no difference while others are betting', async () => {
    let isOver = false;
    const betting = (async () => {
      for (let round = 0; !isOver; round += 1) {
        await hands.match('ann', 'bob', `round ${round}`, 1);
        await hands.decide(`round ${round}`, 'win');
      }
    })();
    for (let times = 0; times < 5; times += 1) {
      expect(linesOfDifferences((await runAudit(hands.database)).findings)).toEqual([]);
    }
    isOver = true;
    await betting;
  });
});
