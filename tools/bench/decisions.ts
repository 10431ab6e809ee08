import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { Target } from './bench.js';
import type { LoadAccount } from './load/plan.js';

const POLL_MS = 20;
/** A large settlement on a slow machine takes a tenth of this. */
const SETTLED_WITHIN_MS = 300_000;

export interface Decision {
  readonly port: number;
  /** The id of the account, which is its number. */
  readonly accountId: number;
  readonly account: LoadAccount;
  readonly reference: string;
}

export function decisionOf({ accounts, api }: Target, accountId: number, reference: string): Decision {
  const account = accounts[accountId - 1];
  if (account === undefined) throw new Error(`There is no account ${accountId}.`);
  return { port: api.port, accountId, account, reference };
}

/** Decides a wager as its business would; returns after the answer. */
export async function decide({ port, account, reference }: Decision): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${port}/bets/update-wager-outcome`, {
    method: 'POST',
    headers: { Authorization: account.authorization, 'Content-Type': 'application/json' },
    body: JSON.stringify({ reference, outcome: 'win' }),
  });
  const answer = await response.text();
  if (response.status !== 201) throw new Error(`deciding ${reference}: ${response.status} ${answer}`);
}

/** Decides a wager and polls until its last bet is settled; returns the time. */
export async function decideAndSettle(
  decision: Decision,
  client: pg.Client,
  onPoll: () => void = () => undefined,
): Promise<number> {
  const { accountId, reference } = decision;
  const since = performance.now();
  await decide(decision);
  while (await isSettling(client, accountId, reference)) {
    if (performance.now() - since > SETTLED_WITHIN_MS) throw new Error(`${reference} is not settled in time`);
    onPoll();
    await sleep(POLL_MS);
  }
  const tookMs = performance.now() - since;
  await checkSettled(client, accountId, reference);
  return tookMs;
}

async function isSettling(client: pg.Client, accountId: number, reference: string): Promise<boolean> {
  const { rowCount } = await client.query(
    'SELECT FROM wagers WHERE account_id = $1 AND reference = $2 AND settling_since IS NOT NULL',
    [accountId, reference],
  );
  return rowCount === 1;
}

/** A settlement that left bets out would look fast: every bet needs two transactions that sum to zero. */
async function checkSettled(client: pg.Client, accountId: number, reference: string): Promise<void> {
  const { rows } = await client.query(
    `SELECT count(*)::int AS bets,
            count(*) FILTER (WHERE settled_outcome = 'win' AND entries = 2 AND moved = 0)::int AS settled
       FROM (SELECT b.settled_outcome, count(x.id) AS entries,
                    sum(CASE x.transaction_type WHEN 'credit' THEN x.amount WHEN 'debit' THEN -x.amount END) AS moved
               FROM wagers w
               JOIN bets b ON b.account_id = w.account_id AND b.wager_id = w.id
               LEFT JOIN bet_trails t ON t.account_id = b.account_id AND t.bet_id = b.id
               LEFT JOIN transactions x ON x.account_id = t.account_id AND x.bet_trail_id = t.id
              WHERE w.account_id = $1 AND w.reference = $2 GROUP BY b.id, b.settled_outcome) counted`,
    [accountId, reference],
  );
  const { bets, settled } = rows[0];
  if (settled !== bets) throw new Error(`${reference}: ${settled} of ${bets} bets are settled as they should be`);
}
