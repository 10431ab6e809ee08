import type { Answer, TestClient } from './client.js';
import type { TestDatabase } from './databases.js';

export const IMPORT_PATH = '/account/users/import';
export const LINES_HEADERS = { 'Content-Type': 'application/x-ndjson' };

/** JSON lines; a text stands as it is. */
export const bodyOf = (lines: readonly (object | string)[]): string =>
  lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join('');

/** So many users, each with money of its own. */
export const usersOf = (count: number, more: object = {}) =>
  Array.from({ length: count }, (_, index) => ({
    reference: `user-${index}`,
    name: `User ${index}`,
    funds: { amount: (1_000 + index) / 100 },
    ...more,
  }));

export const postImport = (
  client: TestClient,
  lines: readonly (object | string)[],
  headers: Record<string, string> = {},
): Promise<Answer> => client.post(IMPORT_PATH, bodyOf(lines), { headers: { ...LINES_HEADERS, ...headers } });

// biome-ignore lint/suspicious/noExplicitAny: tests read answers of any shape
export const linesIn = (text: string): any[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

/** Imports, and returns the lines of the answer. */
export async function importLines(client: TestClient, lines: readonly (object | string)[]) {
  const { status, body } = await postImport(client, lines);
  if (status !== 200) throw new Error(`${status}: ${JSON.stringify(body)}`);
  return linesIn(body);
}

/** What an import leaves in an account, without ids and times. */
export async function stateOf(database: Pick<TestDatabase, 'query'>, accountId: number): Promise<unknown> {
  const users = await database.query(
    `SELECT u.reference, u.name, u.preferences, u.meta, b.balance, b.exposure
       FROM users u JOIN balances b ON b.account_id = u.account_id AND b.user_id = u.id
      WHERE u.account_id = $1 ORDER BY u.reference`,
    [accountId],
  );
  const transactions = await database.query(
    `SELECT u.reference, t.amount, t.description, t.transaction_type, t.transaction_source, t.balance_after, label.own_reference, label.meta
       FROM transactions t JOIN users u ON u.account_id = t.account_id AND u.id = t.user_id
       LEFT JOIN movement_labels label ON label.account_id = t.account_id AND label.transaction_id = t.id
      WHERE t.account_id = $1 ORDER BY u.reference, label.own_reference`,
    [accountId],
  );
  const counts = await database.query(
    `SELECT (SELECT sum(rows) FROM row_counts WHERE account_id = $1 AND kind = 'users') AS users,
            (SELECT sum(transactions) FROM ledger_totals WHERE account_id = $1) AS transactions,
            (SELECT last_seq FROM event_heads WHERE account_id = $1) AS events`,
    [accountId],
  );
  return { users, transactions, counts };
}
