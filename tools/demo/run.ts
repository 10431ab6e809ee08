import { once } from 'node:events';
import { appointAdmin } from '#accounts/admin-appointment.js';
import { runAudit } from '#audit/audit.js';
import { differencesIn } from '#audit/report.js';
import type { LedgerClient } from '#clients/typescript/client.js';
import { connectDatabase, type Database } from '#platform/database/database.js';
import type { RunningServices } from '#tools/services/data-folder.js';
import type { Screen } from '#tools/shared/command-line.js';
import { type Books, checkLog, checkStatement, readBooks, type StatementCheck } from './books.js';
import { isFailedCall } from './demo-client.js';
import { type Bettor, type Evening, planEvening } from './evening.js';
import { type DemoLedger, findOrStartLedger } from './find-or-start-ledger.js';
import { type OpenMarket, openMarket } from './open-market.js';
import type { DemoOptions } from './options.js';
import { type Played, playEvening } from './play.js';
import { createProgress, type Progress } from './progress.js';
import { addressesOf, auditTextOf, logTextOf, statementTextOf, tableOf } from './report.js';

export interface DemoSetting {
  readonly options: DemoOptions;
  /** The data folder of an `npm start` that may be running. */
  readonly dataDir: string;
  /** The search path for programs. */
  readonly path: string | undefined;
  readonly screen: Screen;
  readonly stopping: AbortSignal;
  /** Runs while the market is open. By default, bettors trade until a Ctrl-C. */
  readonly whileOpen?: (open: OpenLedger) => Promise<void>;
}

/** The ledger after the evening, with a market that is still open. */
export interface OpenLedger {
  readonly services: RunningServices;
  readonly played: Played;
  readonly market: OpenMarket;
  readonly progress: Progress;
  readonly stopping: AbortSignal;
}

/** Returns whether the books are right and the audit finds no difference; throws when a call fails. */
export async function runDemo({
  options,
  screen,
  stopping,
  whileOpen = tradeOn,
  ...where
}: DemoSetting): Promise<boolean> {
  const progress = createProgress(screen);
  progress.begin('Getting ready');
  const ledger = await findOrStartLedger({ ...where, stopping, log: progress.say });
  try {
    progress.say(`\nA betting evening (seed ${options.seed}) ${placeOf(ledger)}\n`);
    const { services } = ledger;
    const { isSound, played } = await Promise.race([playOn(services, options, progress, stopping), ledger.broken]);
    if (ledger.isOwn && !options.stay) progress.say(LEAVING);
    const stay = async () => {
      const market = await openMarket(played.businessApi, options.seed);
      await whileOpen({ services, played, market, progress, stopping });
    };
    if (options.stay) await Promise.race([stay(), ledger.broken]);
    return isSound;
  } finally {
    await ledger.close();
  }
}

const placeOf = ({ isOwn, services }: DemoLedger) =>
  isOwn ? 'on a ledger of its own' : `on the \`npm start\` that runs at ${services.apiUrl}`;

async function playOn(
  services: RunningServices,
  options: DemoOptions,
  progress: Progress,
  stopping: AbortSignal,
): Promise<{ readonly isSound: boolean; readonly played: Played }> {
  const database = await connectDatabase({
    url: services.databaseUrl,
    connections: 2,
    onConnectionError: () => undefined,
  });
  try {
    const evening = planEvening(options);
    const makeAdmin = (email: string) => giveAdminRole(database, email);
    const played = await playEvening({ evening, apiUrl: services.apiUrl, stopping, progress, makeAdmin });

    const checking = checkEvening({ services, evening, played, progress, database });
    return { isSound: await checking.finally(() => played.log.stop()), played };
  } finally {
    await database.disconnect();
  }
}

interface PlayedEvening {
  readonly services: RunningServices;
  readonly evening: Evening;
  readonly played: Played;
  readonly progress: Progress;
  readonly database: Database;
}

async function checkEvening({ services, evening, played, progress, database }: PlayedEvening): Promise<boolean> {
  progress.begin('The books are read');
  const books = await readBooks(played.businessApi, evening.bettors);
  progress.done('All balances and transactions are read');
  const statement = await checkWinner(played.businessApi, books, evening.bettors);
  const log = await checkLog(played.log, books);
  progress.begin('The audit checks all accounts');
  const audit = await runAudit(database);
  progress.done('The audit has checked all accounts');
  const checks = [statementTextOf(statement), logTextOf(log), auditTextOf(audit)];
  for (const text of [tableOf(books), ...checks, addressesOf(services, played)]) progress.say(`\n${text}`);
  if (played.matchedAmount !== evening.matchedAmount) {
    throw new Error(`matched ${played.matchedAmount}, and ${evening.matchedAmount} by the plan`);
  }
  const faults = [...books.faults, ...statement.faults, ...log.faults];
  return faults.length === 0 && differencesIn(audit.findings) === 0;
}

/** The bettor with the highest gain was paid out, too: the statement has lines of every kind. */
function checkWinner(business: LedgerClient, { lines }: Books, bettors: readonly Bettor[]): Promise<StatementCheck> {
  const [line] = lines;
  const bettor = bettors.find(({ name }) => name === line?.name);
  if (line === undefined || bettor === undefined) throw new Error('an evening without bettors');
  return checkStatement(business, bettor.reference, line);
}

async function giveAdminRole(database: Database, email: string): Promise<void> {
  if ((await appointAdmin(database, { email, isVouchedFor: true })) !== 'appointed') {
    throw new Error(`${email} was registered, and is not in the database of the same data folder`);
  }
}

const LEAVING =
  '\n  The ledger of the demo stops now. To look around, use `npm run demo -- --stay`, or run `npm start` beside the demo.\n';

/** So that the console has something to show. */
async function tradeOn({ market, progress, stopping }: OpenLedger): Promise<void> {
  progress.say('\n  Bettors continue to trade on the final of Saturday, until Ctrl-C.\n');
  try {
    await market.trade(stopping);
  } catch (error) {
    if (stopping.aborted) return;
    if (!isFailedCall(error)) throw error;
    progress.say(`  They have stopped: ${error.message}\n`);
    await once(stopping, 'abort');
  }
}
