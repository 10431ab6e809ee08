import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { asMicros } from '#core/money.js';
import type { Outcome } from '#core/records.js';
import { type AccountLocks, createAccountLocks } from '#jobs/account-lock.js';
import type { WagerEntryKey } from '#jobs/outbox.js';
import { connectForRequests, type RedisClient } from '#platform/redis/redis.js';
import { expectBooksToBalance } from '#testing/books.js';
import { admin, cancellation } from '#testing/core/builders.js';
import { acceptanceOf, decisionOf, offerOf, useLedgerDatabase } from '#testing/ledger-fixture.js';
import { waitFor } from '#testing/wait-for.js';
import { createSettlement, type Settlement } from './settlement.js';
import { singleTask } from './task.js';

const fixture = useLedgerDatabase();
/** More than the accepted bets that one chunk examines at least. */
const BETS = 1_100;
const EXAMINED = 1_000;
const BOUND = 10;
const CHUNK = 600;

let redis: RedisClient;
let locks: AccountLocks;
let settlement: Settlement;
let job: WagerEntryKey;

/** Of the worker, for the wager's last decision. */
async function jobOf(wager: string): Promise<WagerEntryKey> {
  const [entry] = await fixture.query(`
    SELECT o.id, w.id AS wager FROM outbox o JOIN wagers w ON w.id = (o.payload ->> 'wagerId')::bigint
     WHERE o.topic = 'settle-wager' AND w.reference = '${wager}' ORDER BY o.id DESC LIMIT 1`);
  return { accountId: 1n, id: BigInt(String(entry?.id)), wagerId: BigInt(String(entry?.wager)) };
}

const settledBets = async () =>
  Number((await fixture.query('SELECT count(*) AS n FROM bets WHERE settled_outcome IS NOT NULL'))[0]?.n);

/** The page of the table on which each bet stands. */
const pagesOfBets = async () =>
  (await fixture.query(`SELECT split_part(ctid::text, ',', 1) AS page FROM bets ORDER BY id`)).map(({ page }) => page);

beforeAll(async () => {
  const { database, work, environment } = fixture;
  redis = connectForRequests(environment.config().redis, environment.logger);
  await waitFor(() => redis.status === 'ready');
  locks = createAccountLocks({ redis, prefix: environment.redisPrefix });
  settlement = createSettlement({ database, work, locks, chunk: CHUNK });
  const millionth = asMicros(1n);
  const offers = Array.from({ length: BETS }, () => ({ ...offerOf('ann', 'large'), requestingAmount: millionth }));
  await fixture.work.run(offers.map((offer) => singleTask(1n, offer)));
  await fixture.work.run([
    singleTask(1n, { ...acceptanceOf('bob', 'large'), acceptingAmount: asMicros(BigInt(BETS)), bound: BETS }),
  ]);
  await fixture.work.run([singleTask(1n, decisionOf('large', BOUND))]);
  job = await jobOf('large');
});

afterAll(() => {
  redis?.disconnect();
});

describe('settling a wager in chunks', () => {
  it('leaves the account to the job that holds its lock', async () => {
    const progress = await locks.tryHolding(job.accountId, () => settlement.settleChunk(job, undefined));
    expect(progress).toEqual({ state: 'busy' });
    expect(await settledBets()).toBe(BOUND);
  });

  it('moves a chunk in one transaction, in parts, and reports the progress', async () => {
    const total = BETS - BOUND;
    // An analyze at work keeps what the acceptance left, and then a page has no room.
    await fixture.query('VACUUM bets');
    const pages = await pagesOfBets();
    expect(await settlement.settleChunk(job, undefined)).toEqual({
      state: 'more',
      settledCount: CHUNK,
      total,
    });
    expect(await settledBets()).toBe(BOUND + CHUNK);
    expect(await pagesOfBets()).toEqual(pages); // updated in place, without new index entries
    const [group] = await fixture.query(`
      SELECT count(DISTINCT t.xmin::text)::int AS transactions, count(*)::int AS entries FROM transactions t
       WHERE t.transaction_source = 'bet' GROUP BY t.xmin::text ORDER BY 2 DESC LIMIT 1`);
    expect(group).toEqual({ transactions: 1, entries: 2 * CHUNK });
  });

  it('moves nothing, and says why, when the first part cannot be written', async () => {
    await fixture.query(`
      CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'no more bets'; END $$;
      CREATE TRIGGER refuse BEFORE INSERT ON bet_trails FOR EACH ROW EXECUTE FUNCTION refuse()`);
    try {
      await expect(settlement.settleChunk(job, undefined)).rejects.toThrow('no more bets');
    } finally {
      await fixture.query('DROP TRIGGER refuse ON bet_trails; DROP FUNCTION refuse');
    }
    expect(await settledBets()).toBe(BOUND + CHUNK);
  });

  it('ends with the wager and its outbox entry marked as done', async () => {
    const total = BETS - BOUND;
    const progress = await settlement.settleChunk(job, total);
    expect(progress).toEqual({ state: 'done', settledCount: total - CHUNK, total });
    expect(await settledBets()).toBe(BETS);
    const marks = await fixture.query(`
      SELECT w.settling_since, o.done_at IS NOT NULL AS "isDone" FROM wagers w, outbox o WHERE o.id = ${job.id}`);
    expect(marks).toEqual([{ settling_since: null, isDone: true }]);
  });

  it('moves nothing when the job runs again', async () => {
    expect(await settlement.settleChunk(job, undefined)).toMatchObject({ state: 'done', settledCount: 0 });
    const [moved] = await fixture.query(`SELECT count(*)::int AS n FROM transactions WHERE transaction_source = 'bet'`);
    expect(moved?.n).toBe(2 * BETS);
    await expectBooksToBalance(fixture.environment.database);
  });
});

it('settles what came after the bets were counted, when another operation of the decision takes one out', async () => {
  const offers = [offerOf('cat', 'miscounted'), ...Array.from({ length: 5 }, () => offerOf('ann', 'miscounted'))];
  await fixture.work.run(offers.map((offer) => singleTask(1n, offer)));
  const cancel = cancellation({ requestingUser: { reference: 'cat' }, wagerReferences: ['miscounted'] });
  const bound = 3;
  const decision = { ...decisionOf('miscounted', bound), pendingBefore: bound };
  const [, decided] = await fixture.work.run([singleTask(1n, cancel), singleTask(1n, decision)]);
  expect(decided).toMatchObject({ kind: 'done', answer: { settledCount: bound, remainingCount: 1 } });
  const left = 2;
  const progress = await settlement.settleChunk(await jobOf('miscounted'), undefined);
  expect(progress).toEqual({ state: 'done', settledCount: left, total: left });
  const bets = await fixture.query(`
    SELECT b.offer_status AS status, count(*)::int AS n FROM bets b JOIN wagers w ON w.id = b.wager_id
     WHERE w.reference = 'miscounted' GROUP BY 1 ORDER BY 1`);
  expect(bets).toEqual([
    { status: 'canceled', n: 1 },
    { status: 'expired', n: bound + left },
  ]);
  await expectBooksToBalance(fixture.environment.database);
});

describe('a large wager of which few bets are pending', () => {
  const markOf = async () =>
    (await fixture.query(`SELECT settled_up_to::int AS mark FROM wagers WHERE reference = 'large'`))[0]?.mark;
  const force = (outcome: Outcome, pendingBefore: number) =>
    fixture.work.run([
      singleTask(1n, {
        type: 'force_wager_outcome',
        wagerReference: 'large',
        outcome,
        bound: BOUND,
        pendingBefore,
        action: admin,
      }),
    ]);

  it('is left alone where its outcome is forced again and no bet was counted', async () => {
    expect(await force('win', 0)).toMatchObject([{ answer: { settledCount: 0, remainingCount: 0 } }]);
  });

  it('is left to the worker where the decision examined only the first bets', async () => {
    expect(await force('win', 0)).toMatchObject([{ answer: { settledCount: 0, remainingCount: 1 } }]);
    const large = await jobOf('large');
    expect(await settlement.settleChunk(large, undefined)).toEqual({ state: 'done', settledCount: 0, total: 0 });
  });

  it('is settled from its first bet when its outcome is forced again, in chunks that examine a part each', async () => {
    const [bet] = await fixture.query(`
      SELECT b.id::int AS id FROM bets b JOIN wagers w ON w.id = b.wager_id
       WHERE w.reference = 'large' ORDER BY b.id OFFSET ${EXAMINED} LIMIT 1`);
    const next = Number(bet?.id);
    await fixture.query(`UPDATE wagers SET settled_up_to = ${next} WHERE reference = 'large'`);
    await fixture.query(`UPDATE bets SET settled_outcome = NULL WHERE id = ${next}`);
    expect(await force('win', 1)).toMatchObject([{ answer: { settledCount: 0, remainingCount: 1 } }]);
    expect(await markOf()).toBe(0);
    const small = createSettlement({ database: fixture.database, work: fixture.work, locks, chunk: BOUND });
    const large = await jobOf('large');
    expect(await small.settleChunk(large, undefined)).toEqual({ state: 'more', settledCount: 0, total: 1 });
    expect(await markOf()).toBe(next - 1);
    expect(await small.settleChunk(large, 1)).toEqual({ state: 'done', settledCount: 1, total: 1 });
    expect(await markOf()).toBe(next);
  });
});
