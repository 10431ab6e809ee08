import { type Bench, runLoad } from './bench.js';
import type { ListAccount } from './growth-lists.js';
import type { FixedRequest } from './load/plan.js';
import { recordLatencies } from './record-figures.js';
import { USERS } from './seeded-data.js';

const LINES = 100;
/** Different users, as callers ask for them: their rows lie apart. */
const ASKED_USERS = 50;

/** Measures the first page of statements over the usual period, which has all transactions of the users. */
export async function measureStatements(bench: Bench, port: number, accounts: readonly ListAccount[]): Promise<void> {
  const requests = Array.from({ length: ASKED_USERS }, (_, index) =>
    accounts.map((account) => requestFor(account, 1 + ((index * 7) % USERS))),
  ).flat();
  // A p99 needs many answers.
  const seconds = bench.options.seconds * 5;
  const workload = { kind: 'cycle', requests } as const;
  const result = await runLoad(bench, { port, connections: 1, workload, seconds, warmUpMs: 500 });
  recordLatencies(bench, {
    ...{ scenario: 'growth-lists', subject: `statement of a user, ${LINES} lines`, sizeOf: 'rows', result },
    sizes: accounts.map(({ rows }) => rows),
    labelOf: String,
    slowestGoal: 'statementPage',
  });
}

const requestFor = ({ account: { authorization }, rows }: ListAccount, user: number): FixedRequest => ({
  ...{ label: String(rows), authorization, method: 'GET', path: `/account/user/u${user}/statement?limit=${LINES}` },
});
