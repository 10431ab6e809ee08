import { afterAll, beforeAll } from '@jest/globals';
import { createTestEnvironment, type TestEnvironment } from './environment.js';
import { type LedgerDriver, openAccount, openLedger } from './full-ledger.js';

/** The account of `full-ledger.ts` with its users, while the tests of one file run. */
export interface OpenLedger {
  readonly environment: TestEnvironment;
  readonly driver: LedgerDriver;
  query(sql: string): Promise<Record<string, unknown>[]>;
}

/** Opens the ledger before the first test of a file, fills it by `fill`, and closes it after the last test. */
export function withOpenLedger(fill?: (driver: LedgerDriver) => Promise<unknown>): OpenLedger {
  let opened: { environment: TestEnvironment; driver: LedgerDriver };
  beforeAll(async () => {
    const environment = await createTestEnvironment();
    const driver = await openLedger(environment.database, environment.logger);
    opened = { environment, driver };
    await openAccount(environment.database, driver);
    await fill?.(driver);
  });
  afterAll(async () => {
    await opened?.driver.close();
    await opened?.environment.close();
  });
  return {
    get environment() {
      return opened.environment;
    },
    get driver() {
      return opened.driver;
    },
    query: (sql) => opened.environment.database.query(sql),
  };
}
