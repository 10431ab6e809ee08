import { afterAll, beforeAll, expect } from '@jest/globals';
import { auditSnapshot } from '#audit/audit.js';
import { linesOfDifferences } from '#audit/report.js';
import { createTestEnvironment, type TestEnvironment } from './environment.js';
import { type Bets, fillLedger, type LedgerHands, openAccount, openLedger } from './full-ledger.js';

// Makes rows wrong, one kind at a time, and sees what the audit says.

export const checks = {
  balance: 'balance = sum of the transactions',
  exposure: 'exposure = recomputed from the bets',
  position: 'position = recomputed from the bets',
  moneyRow: 'each user has a row of money',
  status: 'offer status = what the facts say',
  settled: 'settled outcome = effective outcome',
  agreed: 'agreed with an allowed acceptor, at the odds offered',
  party: 'each bet transaction is of a party of its bet',
  pairs: 'the transactions of each trail entry are pairs that sum to zero',
  moved: 'the transactions of each bet = its settled outcome',
  zeros: 'no-action = amount 0',
  whole: 'the trail begins with the offer, and has the acceptance',
  latest: 'the latest trail entry = the bet',
  entries: 'all trail entries have the wager and terms of their bet, and agree with themselves',
  hasWork: 'a settling wager has work waiting',
  ends: 'a settling wager ends within 15 minutes',
  late: 'work of the outbox is done within 15 minutes, mail within 2 hours',
  failed: 'no settlement or check of portfolios has failed',
  aimless: 'work on a wager names one that exists',
  totals: 'maintained totals of bets and transactions = counted',
  users: 'maintained number of users = counted',
  sum: 'the bet transactions of all users sum to zero',
} as const;

export interface Case {
  readonly sql: (bets: Bets) => string | string[];
  /** Every check that finds something, with how much. */
  readonly found: Readonly<Record<string, number>>;
  /** One of the lines that say it. */
  readonly said?: (bets: Bets) => string;
}

export const latestTrail = (betId: bigint) => `(SELECT max(id) FROM bet_trails WHERE bet_id = ${betId})`;
export const firstTrail = (betId: bigint) => `(SELECT min(id) FROM bet_trails WHERE bet_id = ${betId})`;
export const wager = (reference: string) => `(SELECT id FROM wagers WHERE reference = '${reference}')`;

/** What the transaction of a party of the bet is found by. */
export const transactionOf = (betId: bigint, userId: number) =>
  `bet_trail_id = ${latestTrail(betId)} AND user_id = ${userId}`;

class Undone extends Error {}

/** Lets through what the database refuses: history is append-only there, and rows cannot point at nothing. */
const lookAway = `
  DO $$ DECLARE named record; BEGIN
    FOR named IN SELECT conrelid::regclass AS place, conname FROM pg_constraint WHERE contype = 'f' LOOP
      EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', named.place, named.conname);
    END LOOP;
    FOR named IN SELECT DISTINCT tgrelid::regclass AS place FROM pg_trigger WHERE NOT tgisinternal LOOP
      EXECUTE format('ALTER TABLE %s DISABLE TRIGGER USER', named.place);
    END LOOP;
  END $$`;

/** A ledger for a test file, in which everything has happened. */
export function setUpLedger() {
  let environment: TestEnvironment;
  let hands: LedgerHands;
  let bets: Bets;

  beforeAll(async () => {
    environment = await createTestEnvironment();
    hands = openLedger(environment.database, environment.logger);
    await openAccount(environment.database, hands);
    bets = await fillLedger(hands);
  });

  afterAll(async () => {
    await hands?.close();
    await environment?.close();
  });

  /** What the audit says when these have been done to the ledger, past all that guards it; and undoes them. */
  async function differencesAfter(...corruptions: string[]): Promise<string[]> {
    let lines: string[] = [];
    const undone = hands.database.$transaction(async (transaction) => {
      await transaction.$executeRawUnsafe(lookAway);
      for (const sql of corruptions) {
        const rows = await transaction.$executeRawUnsafe(sql);
        if (!sql.startsWith('ALTER')) expect(rows).toBeGreaterThan(0);
      }
      lines = linesOfDifferences(await auditSnapshot(transaction));
      throw new Undone();
    });
    await expect(undone).rejects.toThrow(Undone);
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

  return { differencesAfter, expectFound, hands: () => hands };
}
