import { beforeEach, describe, expect, it } from '@jest/globals';
import { execute, needsOf, type Operation } from '#core/operation.js';
import { offerOf, useLedgerDatabase } from '#testing/ledger-fixture.js';
import { waitFor } from '#testing/wait-for.js';
import { startClock } from './clock.js';

const ledger = useLedgerDatabase();
const ACCOUNT = 1n;

async function run(operation: Operation): Promise<void> {
  const task = { accountId: ACCOUNT, needs: [needsOf(operation)], traceId: undefined };
  const [result] = await ledger.work.runWaiting([{ ...task, run: (book) => execute(book, operation) }]);
  if (result?.kind !== 'done') throw new Error(JSON.stringify(result));
}

/** While two workers run, until the condition holds. */
async function untilClocksHave(condition: () => Promise<boolean>): Promise<void> {
  const { database, work } = ledger;
  const { logger } = ledger.environment;
  const stopping = new AbortController();
  const clocks = [1, 2].map(() => startClock({ database, work, logger, signal: stopping.signal }));
  await waitFor(condition).finally(() => stopping.abort());
  await Promise.all(clocks.map((clock) => clock.close()));
}

const stateOf = async (reference: string) => {
  const [row] = await ledger.query(`
    SELECT w.status, w.revision, b.offer_status, b.timed_out, m.exposure::int FROM wagers w
      LEFT JOIN bets b ON b.account_id = w.account_id AND b.wager_id = w.id
      LEFT JOIN balances m ON m.account_id = w.account_id AND m.user_id = b.requesting_user_id
     WHERE w.reference = '${reference}'`);
  return row;
};
const expiring = (reference: string): Operation => ({ ...offerOf('ann', reference), ends: { inSeconds: 3_600 } });
const PAST = "now() - interval '1 second'";

describe('the clock of the workers', () => {
  beforeEach(() => ledger.query(`UPDATE bets SET expires_at = NULL WHERE offer_status = 'requesting'`));

  it('expires an offer whose time has come, once, and no other one', async () => {
    await run(expiring('due'));
    await run(expiring('later'));
    await ledger.query(
      `UPDATE bets SET expires_at = ${PAST} FROM wagers w WHERE w.id = wager_id AND w.reference = 'due'`,
    );
    await untilClocksHave(async () => (await stateOf('due'))?.offer_status === 'expired');
    expect(await stateOf('due')).toMatchObject({ timed_out: true, exposure: 1_000_000 }); // of the later one alone
    expect(await stateOf('later')).toMatchObject({ offer_status: 'requesting', timed_out: false });
    const trails = await ledger.query(`SELECT description FROM bet_trails WHERE offer_status = 'expired'`);
    expect(trails).toEqual([{ description: 'Offer expired' }]);
  });

  it('closes a wager whose time has come, once', async () => {
    const soon = BigInt(Date.now() + 3_600_000) * 1_000n;
    await run({ type: 'schedule_wager', wagerReference: 'closing', closesAt: soon });
    await ledger.query(`UPDATE wagers SET closes_at = ${PAST} WHERE reference = 'closing'`);
    await untilClocksHave(async () => (await stateOf('closing'))?.status === 'closed');
    expect(await stateOf('closing')).toMatchObject({ revision: 2 });
  });

  it('leaves the offers of a decided wager to its settlement', async () => {
    await run(expiring('decided'));
    await run(expiring('mark'));
    await ledger.query(`UPDATE wagers SET outcome = 'win' WHERE reference = 'decided'`);
    await ledger.query(`UPDATE bets SET expires_at = ${PAST} WHERE expires_at IS NOT NULL`);
    await untilClocksHave(async () => (await stateOf('mark'))?.offer_status === 'expired');
    expect(await stateOf('decided')).toMatchObject({ offer_status: 'requesting' });
  });
});
