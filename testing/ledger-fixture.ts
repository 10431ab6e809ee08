import { afterAll, beforeAll } from '@jest/globals';
import type { OperationOf } from '#core/operation.js';
import { createUnitOfWork, type UnitOfWork } from '#ledger/unit-of-work.js';
import type { Database } from '#platform/database/database.js';
import { connectDatabase } from '#platform/database/database.js';
import { COUNT_TOTALS } from '#tools/shared/count-totals.js';
import { acceptance, decision, micros, odds, offer } from './core/builders.js';
import { createTestEnvironment, type TestEnvironment } from './environment.js';

/** A database with account 1, its users ann (1), bob (2) and cat (3) with 1,000 each, and account 2 with its user dan (4). */
export interface LedgerFixture {
  readonly environment: TestEnvironment;
  readonly database: Database;
  readonly work: UnitOfWork;
  query(sql: string): Promise<Record<string, unknown>[]>;
}

const SEED = `
  INSERT INTO accounts (name, email) VALUES ('a', 'a@example.com'), ('b', 'b@example.com');
  INSERT INTO users (account_id, reference, name) VALUES (1, 'ann', 'Ann'), (1, 'bob', 'Bob'), (1, 'cat', 'Cat'), (2, 'dan', 'Dan');
  INSERT INTO balances (account_id, user_id, balance) SELECT account_id, id, 1000000000 FROM users;
  INSERT INTO transactions (account_id, user_id, amount, description, transaction_type, transaction_source,
      balance_after)
    SELECT account_id, id, 1000000000, 'Balance funded', 'credit', 'funding', 1000000000 FROM users;
  ${COUNT_TOTALS}`;

/** Registers the hooks that create and drop the database of a test file. */
export function useLedgerDatabase(): LedgerFixture {
  let opened: { environment: TestEnvironment; database: Database; work: UnitOfWork };
  beforeAll(async () => {
    const environment = await createTestEnvironment();
    const database = await connectDatabase({
      url: environment.database.url,
      connections: 5,
      onConnectionError: () => undefined,
    });
    const work = createUnitOfWork({ database, relaySoon: () => undefined, logger: environment.logger });
    opened = { environment, database, work };
    await environment.database.query(SEED);
  });
  afterAll(async () => {
    if (opened !== undefined) await opened.database.disconnect();
    await opened?.environment.close();
  });
  return {
    get environment() {
      return opened.environment;
    },
    get database() {
      return opened.database;
    },
    get work() {
      return opened.work;
    },
    query: (sql) => opened.environment.database.query(sql),
  };
}

export const fundOf = (reference: string, amount = 1): OperationOf<'fund_user'> => ({
  type: 'fund_user',
  user: { reference },
  amount: micros(amount),
  description: 'Balance funded',
});

export const offerOf = (reference: string, wagerReference: string, amount = 1, atOdds = 2) =>
  offer({
    requestingUser: { reference },
    wagerReference,
    requestingAmount: micros(amount),
    requestingOdds: odds(atOdds),
  });

export const acceptanceOf = (reference: string, wagerReference: string, amount = 1) =>
  acceptance({
    acceptingUser: { reference },
    wagerReference,
    acceptingAmount: micros(amount),
    maximumOdds: odds(1_000),
  });

export const decisionOf = (reference: string, bound = 500): OperationOf<'update_wager_outcome'> => ({
  ...decision('win'),
  reference,
  bound,
});
