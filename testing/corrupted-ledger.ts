import { afterAll, beforeAll, expect } from '@jest/globals';
import { auditSnapshot } from '#audit/audit.js';
import { linesOfDifferences } from '#audit/report.js';
import { withTx } from '#platform/database/database.js';
import { createTestEnvironment, type TestEnvironment } from './environment.js';
import {
  ACCOUNT,
  addWebhookEndpoints,
  askForExports,
  type Bets,
  fillLedger,
  type LedgerDriver,
  openAccount,
  openLedger,
} from './full-ledger.js';

// Corrupts rows, one kind at a time, and compares the findings of the audit.

export const checks = {
  balance: 'balance = sum of the transactions',
  after: 'balance_after = the running sum of the transactions',
  direction: 'a funding is a credit, a withdrawal a debit',
  exposure: 'exposure = recomputed from the bets',
  fineness: 'balance and exposure have no more decimals than the account allows',
  position: 'position = recomputed from the bets',
  moneyRow: 'each user has a row of money',
  status: 'offer status = what the facts say',
  settled: 'settled outcome = effective outcome',
  inTime: 'nothing is matched after its time',
  expires: 'an offer expires when its time has come',
  closes: 'a wager closes when its time has come',
  fires: 'a timer fires when its time has come',
  fired: 'a timer that has fired cancels within 15 minutes',
  voided: 'what a decision voids has been voided',
  voiding: 'only a settling wager voids bets',
  agreed: 'agreed with an allowed acceptor, at the odds offered',
  parties: 'the users of a bet exist',
  party: 'each bet transaction is of a party of its bet',
  label: 'what a business calls a transaction names money in or out',
  pairs: 'the transactions of each trail entry are pairs that sum to zero',
  moved: 'the transactions of each bet = its settled outcome',
  zeros: 'no-action = amount 0',
  whole: 'the trail begins with the offer, and has the acceptance',
  latest: 'the latest trail entry = the bet',
  entries: 'all trail entries have the wager and terms of their bet, and agree with themselves',
  rest: 'what a part of an offer leaves is the next part',
  place: 'a rest has the place in the queue and the terms of an earlier offer',
  effect: 'what a stored answer names exists',
  shared: 'each funding or withdrawal is the effect of one stored answer at most',
  hasWork: 'a settling wager has work waiting',
  ends: 'a settling wager ends within 15 minutes',
  cancels: 'a wager with canceling offers has work waiting',
  late: 'work of the outbox is done within 15 minutes, mails and exports within 2 hours',
  failed: 'no settlement or check of portfolios has failed',
  aimless: 'work on a wager names one that exists',
  totals: 'maintained totals of bets and transactions = counted',
  users: 'maintained number of users = counted',
  matched: 'matched bets of a wager and their amount = counted',
  lastMatched: 'the last matched bet of a wager has its last acceptance',
  sum: 'the bet transactions of all users sum to zero',
  keyDate: 'the date of the keys of an account = its newest key',
  head: 'the head of the log = its last event',
  dense: 'the numbers of the log have no gap, and each has one event and belongs to an operation',
  times: 'the times of the log never go back',
  logDecimals: 'the decimals of the log = those of its account',
  logged: 'every trail entry, and all money in or out, is in the log',
  indexMark: 'the index of a log ends with a block, within the log',
  hourly: 'the hourly sums of a log = those of its events',
  indexed: 'the index of a log has its events under their users, wagers and bets, and no others',
  step: 'the events of a step = what its trail entry changed',
  names: 'a trail entry names its first and its last transaction',
  wagerLogged: 'every wager is in the log, with its outcome',
  userLogged: 'every user is in the log, with the state of its balance',
  exportWork: 'an export has work waiting exactly until it ends',
  exportCrowd: 'at most two exports of an account run at the same time',
  webhookPosition: 'a webhook endpoint is a position in the log of its account',
  webhookWaiting: 'what waits for a webhook endpoint lies in the log before it',
  webhookFailing: 'a webhook endpoint fails exactly while something that has failed waits',
  webhookServed: 'a webhook endpoint is served within 15 minutes, and leased no longer',
  requestTold: 'each state of a change request has its event, once',
  requestDone: 'an executed change request has exactly one effect, in the transaction of its event',
  requestDecider: 'another person than its maker decides a change request',
  requestOverdue: 'a change request expires when its time has come',
  accountStatus: 'the status of an account = its last change of status',
} as const;

export interface Case {
  readonly sql: (bets: Bets) => string | string[];
  /** The number of differences by check. */
  readonly found: Readonly<Record<string, number>>;
  /** A line of the report. */
  readonly said?: (bets: Bets) => string;
}

export const latestTrail = (betId: bigint) => `(SELECT max(id) FROM bet_trails WHERE bet_id = ${betId})`;
export const firstTrail = (betId: bigint) => `(SELECT min(id) FROM bet_trails WHERE bet_id = ${betId})`;
export const wager = (reference: string) => `(SELECT id FROM wagers WHERE reference = '${reference}')`;

/** The condition for the transaction of one party of the bet. */
export const transactionOf = (betId: bigint, userId: number) =>
  `bet_trail_id = ${latestTrail(betId)} AND user_id = ${userId}`;

class RolledBack extends Error {}

/** Drops foreign keys and disables triggers, which would refuse most corruptions. */
const dropGuards = `
  DO $$ DECLARE named record; BEGIN
    FOR named IN SELECT conrelid::regclass AS place, conname FROM pg_constraint WHERE contype = 'f' LOOP
      EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', named.place, named.conname);
    END LOOP;
    FOR named IN SELECT DISTINCT tgrelid::regclass AS place FROM pg_trigger WHERE NOT tgisinternal LOOP
      EXECUTE format('ALTER TABLE %s DISABLE TRIGGER USER', named.place);
    END LOOP;
  END $$`;

/** A ledger with bets in every state, for one test file. */
export function setUpLedger() {
  let environment: TestEnvironment;
  let driver: LedgerDriver;
  let bets: Bets;

  beforeAll(async () => {
    environment = await createTestEnvironment();
    driver = await openLedger(environment.database, environment.logger);
    await openAccount(environment.database, driver);
    bets = await fillLedger(driver);
    await askForExports(environment.database);
    await addWebhookEndpoints(environment.database);
  });

  afterAll(async () => {
    await driver?.close();
    await environment?.close();
  });

  /** The audit's lines after these statements, which are rolled back. */
  async function differencesAfter(...corruptions: string[]): Promise<string[]> {
    let lines: string[] = [];
    const rolledBack = withTx(driver.database.of(ACCOUNT), async (tx) => {
      await tx.prisma.$executeRawUnsafe(dropGuards);
      for (const sql of corruptions) {
        const rows = await tx.prisma.$executeRawUnsafe(sql);
        if (!sql.startsWith('ALTER')) expect(rows).toBeGreaterThan(0);
      }
      lines = linesOfDifferences(await auditSnapshot(tx));
      throw new RolledBack();
    });
    await expect(rolledBack).rejects.toThrow(RolledBack);
    return lines;
  }

  async function expectFound({ sql, found, said }: Case): Promise<void> {
    const lines = await differencesAfter(...[sql(bets)].flat());
    expect(lines.filter((line) => !line.startsWith(' ')).sort()).toEqual(
      Object.entries(found)
        .map(([name, count]) => `${name}: ${count} difference${count === 1 ? '' : 's'}`)
        .sort(),
    );
    if (said !== undefined) expect(lines.join('\n')).toContain(said(bets));
  }

  return { differencesAfter, expectFound, driver: () => driver };
}
