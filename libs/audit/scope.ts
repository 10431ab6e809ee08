import { receivedSql } from './facts.js';

/*
 * What an audit reads. All rows of some accounts; or, of accounts with a closing, what came after it: the rest is the
 * closing. The checks are the same for both, because a scope stands in for the tables.
 */

/** Accounts by id, from and to included. */
export interface AccountRange {
  readonly from: bigint;
  readonly to: bigint;
}

/** Every possible id, so that rows without an account are audited as well. */
export const ALL_ACCOUNTS: AccountRange = { from: -(2n ** 63n), to: 2n ** 63n - 1n };

type Table =
  | 'accounts'
  | 'api_keys'
  | 'account_events'
  | 'users'
  | 'balances'
  | 'disputes'
  | 'balance_corrections'
  | 'movement_labels'
  | 'positions'
  | 'wagers'
  | 'cancel_timers'
  | 'outbox'
  | 'exports'
  | 'row_counts'
  | 'ledger_totals'
  | 'stored_answers'
  | 'account_closings'
  | 'daily_closings'
  | 'daily_reconciliations'
  | 'event_heads'
  | 'event_indexes'
  | 'hourly_sums'
  | 'change_requests'
  | 'webhook_endpoints'
  | 'webhook_deliveries';

/** Each is an item of a FROM clause. */
export interface Scope {
  /** Everything since the first day. */
  readonly isWhole: boolean;
  /** The rows of these accounts. */
  table(name: Table): string;
  /** The bets to check, all trail entries of each, and all transactions of each. */
  readonly bets: string;
  readonly trails: string;
  readonly transactions: string;
  /** The open offers and the unsettled bets, maybe among others. */
  readonly liveBets: string;
  /** All bets of these accounts: for what the key of a wager or a bet finds. */
  readonly allBets: string;
  /** `account_id, user_id, total, misdirected`, and of the last closing `closed` and `closed_total`, which it should be. */
  readonly moved: string;
  /** Transactions with a known balance: `account_id, user_id, id, stored`, and the sum up to each as `running`. */
  readonly balancesAfter: string;
  /** `account_id, bets`. */
  readonly betCounts: string;
  /** `account_id, transactions, bet_sum`. */
  readonly transactionCounts: string;
  /** Groups of events. */
  readonly eventGroups: string;
  /** The number of the event before the first of these groups `g`. */
  readonly eventsBefore: string;
  /** A query `account_id, trail_id, transaction_id`: rows up to these ids need not be in these groups. */
  readonly closedIds: string;
}

const inRange = (name: string, { from, to }: AccountRange): string => {
  const column = name === 'accounts' ? 'id' : 'account_id';
  if (from === ALL_ACCOUNTS.from && to === ALL_ACCOUNTS.to) return name;
  // As numbers, because the least bigint has no literal of its own.
  return `(SELECT * FROM ${name} WHERE ${column} >= '${from}'::bigint AND ${column} <= '${to}'::bigint)`;
};

const isMisdirected = `
  t.transaction_source = 'funding' AND t.transaction_type <> 'credit'
  OR t.transaction_source = 'withdrawal' AND t.transaction_type <> 'debit'`;

const sumsOf = (transactions: string): string => `
  SELECT t.account_id, t.user_id, sum(${receivedSql}) AS total, min(t.id) FILTER (WHERE ${isMisdirected}) AS misdirected
    FROM ${transactions} t GROUP BY t.account_id, t.user_id`;

/** The last closing of each user. */
const lastClosings = (range: AccountRange): string => `
  SELECT DISTINCT ON (d.account_id, d.user_id) d.account_id, d.user_id, d.balance, d.bet
    FROM ${inRange('daily_closings', range)} d ORDER BY d.account_id, d.user_id, d.day DESC`;

const balancesAfter = (transactions: string, start: string, joined = ''): string => `(
  SELECT t.account_id, t.user_id, t.id, t.balance_after AS stored,
         ${start} + sum(${receivedSql}) OVER (PARTITION BY t.account_id, t.user_id ORDER BY t.id) AS running
    FROM ${transactions} t ${joined})`;

const countsOf = (transactions: string): string => `
  SELECT t.account_id, count(*) AS transactions, sum(${receivedSql}) FILTER (WHERE t.transaction_source = 'bet') AS bet_sum
    FROM ${transactions} t GROUP BY t.account_id`;

/** Everything since the first day. */
export function wholeScope(range: AccountRange): Scope {
  const transactions = inRange('transactions', range);
  const bets = inRange('bets', range);
  return {
    isWhole: true,
    table: (name) => inRange(name, range),
    bets,
    trails: inRange('bet_trails', range),
    transactions,
    liveBets: bets,
    allBets: bets,
    moved: `(
      SELECT account_id, user_id, moved.total, moved.misdirected, last.balance AS closed, moved.closed_total
        FROM (SELECT t.account_id, t.user_id, sum(${receivedSql}) AS total,
                     min(t.id) FILTER (WHERE ${isMisdirected}) AS misdirected,
                     sum(${receivedSql}) FILTER (WHERE t.id <= c.last_transaction_id) AS closed_total
                FROM ${transactions} t LEFT JOIN account_closings c ON c.account_id = t.account_id
               GROUP BY t.account_id, t.user_id) moved
        FULL JOIN (${lastClosings(range)}) last USING (account_id, user_id))`,
    balancesAfter: balancesAfter(transactions, '0'),
    betCounts: `(SELECT account_id, count(*) AS bets FROM ${bets} counted GROUP BY account_id)`,
    transactionCounts: `(${countsOf(transactions)})`,
    eventGroups: inRange('event_groups', range),
    eventsBefore: '0',
    closedIds: 'SELECT NULL::bigint, NULL::bigint, NULL::bigint WHERE FALSE',
  };
}

/** What came after the closings of these accounts, which all have one. `prepareFreshRows` makes the temporary tables. */
export function freshScope(range: AccountRange): Scope {
  const closings = inRange('account_closings', range);
  return {
    isWhole: false,
    table: (name) => inRange(name, range),
    bets: 'audited_bets',
    trails: 'audited_trails',
    transactions: 'audited_transactions',
    liveBets: 'live_bets',
    allBets: inRange('bets', range),
    moved: `(
      SELECT account_id, user_id, coalesce(last.balance, 0) + coalesce(fresh.total, 0) AS total, fresh.misdirected,
             NULL::numeric AS closed, NULL::numeric AS closed_total
        FROM (${lastClosings(range)}) last FULL JOIN (${sumsOf('fresh_transactions')}) fresh USING (account_id, user_id))`,
    balancesAfter: balancesAfter(
      'fresh_transactions',
      'coalesce(last.balance, 0)',
      `LEFT JOIN (${lastClosings(range)}) last ON last.account_id = t.account_id AND last.user_id = t.user_id`,
    ),
    betCounts: `(
      SELECT c.account_id, c.bets + count(b.id) AS bets
        FROM ${closings} c LEFT JOIN audited_bets b ON b.account_id = c.account_id AND b.id > c.last_bet_id
       GROUP BY c.account_id, c.bets)`,
    transactionCounts: `(
      SELECT c.account_id, c.transactions + coalesce(fresh.transactions, 0) AS transactions,
             coalesce(last.bet_sum, 0) + coalesce(fresh.bet_sum, 0) AS bet_sum
        FROM ${closings} c
        LEFT JOIN (SELECT account_id, sum(bet) AS bet_sum FROM (${lastClosings(range)}) last GROUP BY account_id) last
          ON last.account_id = c.account_id
        LEFT JOIN (${countsOf('fresh_transactions')}) fresh ON fresh.account_id = c.account_id)`,
    // The first of these groups may also have events of rows up to the closing. The first event of a log may say what is older
    // than the log.
    eventGroups: `(SELECT g.*, c.last_event_seq AS closed_seq FROM ${closings} c JOIN event_groups g ON g.account_id = c.account_id
                    WHERE g.last_seq > c.last_event_seq OFFSET 0)`,
    eventsBefore: 'g.closed_seq',
    closedIds: `SELECT c.account_id, greatest(c.last_trail_id, (g.extras -> '0' ->> 'last_trail_id')::bigint),
                       greatest(c.last_transaction_id, (g.extras -> '0' ->> 'last_transaction_id')::bigint)
                  FROM ${closings} c LEFT JOIN event_groups g ON g.account_id = c.account_id AND g.last_seq = 1`,
  };
}
