import { beforeAll, describe, expect, it } from '@jest/globals';
import { type Tx, withTx } from '#platform/database/database.js';
import { ACCOUNT, fillLedger } from '#testing/full-ledger.js';
import { auditAt } from '#testing/nightly-audit.js';
import { withOpenLedger } from '#testing/with-open-ledger.js';
import { applyAuditSettings, inAuditSnapshot, runPasses } from './audit.js';
import { totalsOfAccounts } from './checks-totals.js';
import { moneyOfUsers, positionsOfUsers } from './checks-users.js';
import { prepareFreshRows } from './fresh-rows.js';
import { checkPortfolios } from './portfolio.js';
import { freshScope } from './scope.js';

const DAY_MS = 86_400_000;
const SETTLED = 6_000;

const ledger = withOpenLedger(fillLedger);
const { query } = ledger;
const RANGE = { from: ACCOUNT, to: ACCOUNT };

/** Rows of bets that the connection has read, since PostgreSQL last took its counts. */
async function betsRead(tx: Tx): Promise<number> {
  const [row] = await tx.$queryRaw<[{ read: bigint }]>`
    SELECT (coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::bigint AS read
      FROM pg_stat_xact_user_tables WHERE relname = 'bets'`;
  return Number(row.read);
}

const checkOfPortfolios = (wagerId?: bigint) =>
  withTx(ledger.driver.database.of(ACCOUNT), async (tx) => {
    const users = { accountId: ACCOUNT, userIds: [1n, 2n, 3n] };
    const earlier = await betsRead(tx);
    expect(await checkPortfolios(tx, wagerId === undefined ? users : { ...users, wagerId })).toEqual([]);
    return (await betsRead(tx)) - earlier;
  });

const night = () =>
  inAuditSnapshot(ledger.driver.database.of(ACCOUNT), async (snapshot) => {
    const earlier = await betsRead(snapshot);
    await applyAuditSettings(snapshot);
    await prepareFreshRows(snapshot, RANGE);
    const passes = [moneyOfUsers, positionsOfUsers, totalsOfAccounts];
    const findings = await runPasses(snapshot, freshScope(RANGE), passes);
    expect(findings.filter(({ differing }) => differing > 0)).toEqual([]);
    return (await betsRead(snapshot)) - earlier;
  });

const decidedWager = `SELECT w.id FROM wagers w
  WHERE w.account_id = ${ACCOUNT} AND w.outcome = 'win' AND w.settling_since IS NULL AND NOT EXISTS (
    SELECT FROM positions p WHERE p.wager_id = w.id AND (p.win, p.loss, p.offered) <> (0, 0, 0)) LIMIT 1`;

/** All in one decided wager, and as if the last closing had confirmed them. */
const addSettledBets = () =>
  query(`
    INSERT INTO bets (account_id, wager_id, requesting_user_id, requesting_odds, requesting_amount, queue_place,
                      offer_status, accepting_user_id, effective_odds, effective_amount, settled_outcome)
    SELECT ${ACCOUNT}, (${decidedWager}), 1 + n % 2, 2000000, 1000000, 1000000 + n, 'accepted', 2 - n % 2,
           2000000, 1000000, 'win' FROM generate_series(1, ${SETTLED}) n;
    UPDATE account_closings SET bets = bets + ${SETTLED}, last_bet_id = (SELECT max(id) FROM bets);
    UPDATE ledger_totals SET bets = bets + ${SETTLED} WHERE shard = (SELECT min(shard) FROM ledger_totals)`);

describe('many settled bets of the users of an account', () => {
  let before: { readonly portfolios: number; readonly night: number };

  beforeAll(async () => {
    const { database } = ledger.driver;
    await auditAt({ database, logger: ledger.environment.logger }, new Date(Date.now() + 2 * DAY_MS));
    await query('ANALYZE');
    before = { portfolios: await checkOfPortfolios(), night: await night() };
    await addSettledBets();
    await query('VACUUM ANALYZE');
  });

  it('cost a check of their portfolios nothing', async () => {
    expect(before.portfolios).toBeGreaterThan(0);
    expect(await checkOfPortfolios()).toBeLessThanOrEqual(before.portfolios + 10);
  });

  it('are read where they belong to the corrected wager', async () => {
    const [wager] = await query(decidedWager);
    expect(await checkOfPortfolios(BigInt(String(wager?.id)))).toBeGreaterThanOrEqual(SETTLED);
  });

  it('cost a night nothing', async () => {
    expect(before.night).toBeGreaterThan(0);
    expect(await night()).toBeLessThanOrEqual(before.night + 10);
  });
});
