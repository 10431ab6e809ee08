import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { testSeed } from '#testing/test-seed.js';
import { createSeededRandom } from '#tools/shared/seeded-random.js';
import { Business } from './business.js';
import { DayChecks } from './day-checks.js';
import { Finding } from './eventually.js';
import { MovingClock } from './moving-clock.js';
import { addAudit, nightKinds } from './night-kinds.js';
import { Stack } from './stack.js';

const START = '2028-02-28T10:00:00Z';
const DAY = Date.parse('2028-02-28');
const NEXT_DAY = Date.parse('2028-02-29');
const SET_UP_MS = 120_000;

let folder: string;
let clock: MovingClock;
let stack: Stack;
let checks: DayChecks;

beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'ledger-nights-test-'));
  chmodSync(folder, 0o711); // PostgreSQL may run as another user
  clock = await MovingClock.open(folder, new Date(START));
  stack = await Stack.start({ folder, clock, onFault: () => undefined });
  const business = await Business.open(stack, createSeededRandom(testSeed));
  checks = new DayChecks(stack, business);
  await business.act(60);
  await stack.jumpTo(NEXT_DAY);
  await stack.planAudit();
  await business.logIn();
  await nightKinds[0].play({ stack, business, midnight: NEXT_DAY });
}, SET_UP_MS);

afterAll(async () => {
  await stack?.close();
  clock?.close();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

/** Past the guards of the database, and back. */
async function withChange(change: string, undo: string, work: () => Promise<void>): Promise<void> {
  const pastGuards = (statement: string) =>
    stack.query(`BEGIN; SET LOCAL session_replication_role = replica; ${statement}; COMMIT`);
  await pastGuards(change);
  await work();
  await pastGuards(undo);
}

const checkAll = async () => {
  await checks.checkNight('2028-02-28');
  await checks.checkDay(DAY);
  await checks.checkBalances();
  await checks.checkSecondLedger();
  await checks.checkWhole();
};

describe('the checks of the nights', () => {
  it('find nothing after a night, by clocks that have jumped, one of them two hours ahead', async () => {
    await checkAll();
    expect(checks.lines).toBeGreaterThan(4);
    const [row] = await stack.query<{ at: Date }>('SELECT now() AS at');
    expect(row?.at.toISOString().slice(0, 13)).toBe('2028-02-29T03');
  });

  it('find a balance that changed without a transaction', () =>
    withChange(
      'UPDATE balances SET balance = balance + 1 WHERE account_id = 1 AND user_id = 1',
      'UPDATE balances SET balance = balance - 1 WHERE account_id = 1 AND user_id = 1',
      async () => {
        await expect(checks.checkBalances()).rejects.toThrow(/the balance of user 1 by its transactions/);
        await expect(checks.checkSecondLedger()).rejects.toThrow(/user 1 by the second ledger/);
        await expect(checks.checkWhole()).rejects.toThrow(/balance = sum of the transactions/);
      },
    ));

  it('find a statement that does not add up', () =>
    withChange(
      'UPDATE transactions SET amount = amount + 1 WHERE account_id = 1 AND id = 1',
      'UPDATE transactions SET amount = amount - 1 WHERE account_id = 1 AND id = 1',
      () => expect(checks.checkDay(DAY)).rejects.toThrow(Finding),
    ));

  it('find a day that is not closed', () =>
    expect(checks.checkNight('2028-02-29', 1_000)).rejects.toThrow('2028-02-29 is closed: not within 1 s'));

  it('find an audit that found a difference', () =>
    withChange(
      'UPDATE balances SET exposure = exposure + 1 WHERE account_id = 1 AND user_id = 1',
      'UPDATE balances SET exposure = exposure - 1 WHERE account_id = 1 AND user_id = 1',
      async () => {
        await addAudit(stack);
        await expect(checks.checkNight('2028-02-29')).rejects.toThrow(/audits that failed: .*exposure/);
      },
    ));
});
