import { eventKinds } from '#core/records.js';
import type { TestDatabase } from './databases.js';

// What an operation has done to a ledger, as its preview must have shown it.

type Queryable = Pick<TestDatabase, 'query'>;

export interface LedgerState {
  readonly accountId: number;
  readonly users: Readonly<Record<string, { balance: number; exposure: number }>>;
  readonly lastTransaction: number;
  readonly lastEvent: number;
}

export async function readLedgerState(database: Queryable, accountId: number): Promise<LedgerState> {
  const rows = await database.query(
    `SELECT u.reference, m.balance::float8, m.exposure::float8 FROM users u
       JOIN balances m ON m.account_id = u.account_id AND m.user_id = u.id WHERE u.account_id = $1`,
    [accountId],
  );
  const [last] = await database.query(
    `SELECT (SELECT max(id) FROM transactions)::float8 AS transaction,
            (SELECT last_seq FROM event_heads WHERE account_id = $1)::float8 AS event`,
    [accountId],
  );
  const users = rows.map(({ reference, balance, exposure }) => [reference, { balance, exposure }]);
  return {
    accountId,
    users: Object.fromEntries(users),
    lastTransaction: Number(last?.transaction),
    lastEvent: Number(last?.event),
  };
}

const MICROS = 1_000_000;

/** What a preview must have said, from the rows that the operation has left. */
export async function whatHappened(database: Queryable, before: LedgerState, after: LedgerState) {
  const { accountId } = before;
  const [moved] = await database.query(
    `SELECT coalesce(sum(net) FILTER (WHERE net > 0), 0)::float8 AS credit,
            coalesce(-sum(net) FILTER (WHERE net < 0), 0)::float8 AS debit
       FROM (SELECT sum(CASE transaction_type WHEN 'credit' THEN x.amount WHEN 'debit' THEN -x.amount ELSE 0 END) AS net
               FROM transactions x JOIN bet_trails t ON t.account_id = x.account_id AND t.id = x.bet_trail_id
              WHERE x.account_id = $1 AND x.id > $2 GROUP BY t.bet_id, x.user_id) nets`,
    [accountId, before.lastTransaction],
  );
  const kinds = await database.query(
    `SELECT kind::int, count(*)::int FROM event_groups, unnest(kinds) AS kind
      WHERE account_id = $1 AND first_seq > $2 GROUP BY kind`,
    [accountId, before.lastEvent],
  );
  const countOf = (kind: keyof typeof eventKinds): number =>
    Number(kinds.find((row) => row.kind === eventKinds[kind])?.count ?? 0);
  const users = Object.entries(after.users)
    .map(([reference, { balance, exposure }]) => {
      const { balance: balanceBefore = 0, exposure: exposureBefore = 0 } = before.users[reference] ?? {};
      return {
        reference,
        balance: balanceBefore / MICROS,
        balance_after: balance / MICROS,
        exposure: exposureBefore / MICROS,
        exposure_after: exposure / MICROS,
      };
    })
    .filter((user) => user.balance !== user.balance_after || user.exposure !== user.exposure_after)
    .sort((one, other) => (one.reference < other.reference ? -1 : 1));
  return {
    would_succeed: true,
    refusal: null,
    bets: {
      settled: countOf('bet.settled'),
      unsettled: countOf('bet.unsettled'),
      expired_offers: countOf('offer.expired'),
      reopened_offers: countOf('offer.reopened'),
      canceled_offers: countOf('offer.canceled'),
    },
    moved: { credit: Number(moved?.credit) / MICROS, debit: Number(moved?.debit) / MICROS },
    counts: { affected: users.length, below_zero: users.filter(({ balance_after }) => balance_after < 0).length },
    users,
  };
}
