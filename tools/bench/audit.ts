import { pino } from 'pino';
import { createDailyAudit } from '#audit/daily-audit.js';
import { checkPortfolios } from '#audit/portfolio.js';
import { DAY_MS, HOUR_MS } from '#platform/config/time-units.js';
import { type Database, openDatabase, withTx } from '#platform/database/database.js';
import { seedSettledBets } from './audit-seed.js';
import { type Bench, isWanted } from './bench.js';
import type { BenchDatabase } from './database.js';
import { goalOf } from './goals.js';
import { recordComparison } from './record-figures.js';
import { printComparisonHead } from './report.js';
import { finishSeeding, inBulk, seedAccounts, seedOffers } from './seed.js';
import { ACCOUNTS, firstUserId, USERS, WAGERS } from './seeded-data.js';

// The nightly audit of a ledger with a long past, and the portfolio check of its busiest user. Both start from the last
// closing, so neither should grow with that past.

const SCENARIO = 'audit';

/** The ledger has so many times the bets of a large wager. */
const WAGERS_OF_BETS = 10;
/** A day adds this share of all bets. */
const DAY_SHARE = 0.01;
const OPEN_OFFERS = 1_000;
const DAY_WAGERS = 5;
const DEADLINE_MS = HOUR_MS;

export async function measureAudit(bench: Bench): Promise<void> {
  if (!isWanted(bench.options, SCENARIO)) return;
  const bets = bench.options.bets * WAGERS_OF_BETS;
  const database = await bench.services.createDatabase('audit');
  await seedAccounts(database);
  await inBulk(database, ['bets', 'bet_trails', 'transactions', 'positions'], () => seedPast(database, bets));
  await finishSeeding(database);
  const auditing = openDatabase({
    url: database.url,
    connections: 1,
    deadlineMs: DEADLINE_MS,
    onConnectionError: () => undefined,
  });
  try {
    printComparisonHead(bench.print);
    const firstMs = await auditNight(auditing, 1);
    await seedDay(database, bets * DAY_SHARE);
    await finishSeeding(database);
    recordNight(bench, { bets, firstMs, nightMs: await auditNight(auditing, 2) });
    await measurePortfolio(bench, auditing, bets / ACCOUNTS);
  } finally {
    await auditing.$disconnect();
    await database.close();
  }
}

async function seedPast(database: BenchDatabase, bets: number): Promise<void> {
  const wagers = { from: 1, count: WAGERS - 2 * DAY_WAGERS };
  for (let account = 1; account <= ACCOUNTS; account += 1) {
    await seedSettledBets(database, { account, bets: bets / ACCOUNTS, wagers, age: '2 days' });
  }
}

async function seedDay(database: BenchDatabase, bets: number): Promise<void> {
  const decided = { from: WAGERS - 2 * DAY_WAGERS + 1, count: DAY_WAGERS };
  const open = { from: WAGERS - DAY_WAGERS + 1, count: DAY_WAGERS };
  for (let account = 1; account <= ACCOUNTS; account += 1) {
    await seedSettledBets(database, { account, bets: bets / ACCOUNTS, wagers: decided, age: '0 days' });
    await seedOffers(database, { account, offers: OPEN_OFFERS, users: { from: 2, count: USERS - 1 }, wagers: open });
  }
}

/** Audits as the worker would in some nights, and closes the day before. Returns the time. */
async function auditNight(database: Database, inNights: number): Promise<number> {
  const now = () => new Date(Date.now() + inNights * DAY_MS);
  const audit = createDailyAudit({ database, logger: pino({ enabled: false }), now });
  const { tookMs, closedAccounts } = await audit();
  if (closedAccounts !== ACCOUNTS) throw new Error(`The audit closed ${closedAccounts} of ${ACCOUNTS} accounts.`);
  return tookMs;
}

const count = (things: number) => things.toLocaleString('en-US');

function recordNight(bench: Bench, night: { bets: number; firstMs: number; nightMs: number }): void {
  const { bets, firstMs, nightMs } = night;
  recordComparison(bench, {
    scenario: SCENARIO,
    what: `nightly audit after ${count(bets)} bets and ${count(bets * DAY_SHARE)} new ones`,
    unit: 'ms',
    value: nightMs,
    note: `the first audit, of everything: ${count(firstMs)} ms`,
    complaints: [],
    goals: [goalOf('nightlyAudit', nightMs)],
  });
}

async function measurePortfolio(bench: Bench, database: Database, bets: number): Promise<void> {
  const times: number[] = [];
  for (let round = 0; round < 3; round += 1) {
    const startedAt = performance.now();
    const userIds = [BigInt(firstUserId(1))];
    const differences = await withTx(database, (tx) => checkPortfolios(tx, { accountId: 1n, userIds }));
    if (differences.length > 0) throw new Error(`The portfolio check found ${differences.length} differences.`);
    times.push(performance.now() - startedAt);
  }
  const slowest = Math.max(...times);
  recordComparison(bench, {
    scenario: SCENARIO,
    what: `portfolio check of a user with ${count(bets)} bets, slowest`,
    unit: 'ms',
    value: slowest,
    note: `of ${times.length}`,
    complaints: [],
    goals: [goalOf('portfolioCheck', slowest)],
  });
}
