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
import { createSettlement, type RunEnd, type Settlement } from './settlement.js';
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

interface RunReport {
  readonly end: RunEnd;
  readonly settledCount: number;
  readonly total: number | undefined;
}

/** One run of at most so many chunks. */
async function settle(by: Settlement, entry: WagerEntryKey, total?: number, chunks = 1): Promise<RunReport> {
  let [begun, settled, known] = [1, 0, total];
  const end = await by.settle(entry, {
    total,
    mayGoOn: () => {
      begun += 1;
      return begun <= chunks;
    },
    onSettled: async ({ settledCount }, all) => {
      settled += settledCount;
      known = all;
    },
  });
  return { end, settledCount: settled, total: known };
}

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
    const progress = await locks.tryHolding(job.accountId, () => settle(settlement, job));
    expect(progress).toEqual({ end: 'busy', settledCount: 0, total: undefined });
    expect(await settledBets()).toBe(BOUND);
  });

  it('moves a chunk in one transaction, in parts, and reports the progress', async () => {
    const total = BETS - BOUND;
    // An analyze at work keeps what the acceptance left, and then a page has no room.
    await fixture.query('VACUUM bets');
    const pages = await pagesOfBets();
    await fixture.query(`
      CREATE TABLE writes (number SERIAL, bets INT);
      CREATE FUNCTION note_write() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$ BEGIN
        INSERT INTO writes (bets) SELECT count(*) FROM added HAVING count(*) > 0; RETURN NULL; END $$;
      CREATE TRIGGER note_write AFTER INSERT ON bet_trails REFERENCING NEW TABLE AS added
        FOR EACH STATEMENT EXECUTE FUNCTION note_write()`);
    expect(await settle(settlement, job)).toEqual({ end: 'more', settledCount: CHUNK, total });
    const writes = await fixture.query('SELECT bets FROM writes ORDER BY number');
    await fixture.query('DROP TRIGGER note_write ON bet_trails; DROP FUNCTION note_write; DROP TABLE writes');
    expect(writes.map(({ bets }) => bets)).toEqual([50, 75, 113, 170, 192]);
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
      await expect(settle(settlement, job)).rejects.toThrow('no more bets');
    } finally {
      await fixture.query('DROP TRIGGER refuse ON bet_trails; DROP FUNCTION refuse');
    }
    expect(await settledBets()).toBe(BOUND + CHUNK);
  });

  it('ends with the wager and its outbox entry marked as done', async () => {
    const total = BETS - BOUND;
    const progress = await settle(settlement, job, total);
    expect(progress).toEqual({ end: 'done', settledCount: total - CHUNK, total });
    expect(await settledBets()).toBe(BETS);
    const marks = await fixture.query(`
      SELECT w.settling_since, o.done_at IS NOT NULL AS "isDone" FROM wagers w, outbox o WHERE o.id = ${job.id}`);
    expect(marks).toEqual([{ settling_since: null, isDone: true }]);
  });

  it('moves nothing when the job runs again', async () => {
    expect(await settle(settlement, job)).toMatchObject({ end: 'done', settledCount: 0 });
    const [moved] = await fixture.query(`SELECT count(*)::int AS n FROM transactions WHERE transaction_source = 'bet'`);
    expect(moved?.n).toBe(2 * BETS);
    await expectBooksToBalance(fixture.environment.database);
  });
});

describe('a run of several chunks', () => {
  const BETS_OF_RUN = 40;
  let entry: WagerEntryKey;
  let small: Settlement;

  const settledOfRun = async () =>
    Number(
      (
        await fixture.query(`
          SELECT count(b.settled_outcome) AS n FROM bets b JOIN wagers w ON w.id = b.wager_id WHERE w.reference = 'run'`)
      )[0]?.n,
    );

  beforeAll(async () => {
    const { database, work } = fixture;
    small = createSettlement({ database, work, locks, chunk: BOUND });
    const offers = Array.from({ length: BETS_OF_RUN }, () => offerOf('ann', 'run'));
    await work.run(offers.map((offer) => singleTask(1n, offer)));
    await work.run([
      singleTask(1n, {
        ...acceptanceOf('bob', 'run'),
        acceptingAmount: asMicros(1_000_000_000n),
        bound: BETS_OF_RUN,
      }),
    ]);
    await work.run([singleTask(1n, decisionOf('run', 0))]);
    entry = await jobOf('run');
  });

  it('lets the chunk end that has begun behind a failed one, before it fails and frees the account', async () => {
    await fixture.query(`
      CREATE SEQUENCE commits;
      CREATE FUNCTION fail_first() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN IF nextval('commits') = 1 THEN RAISE 'not this commit'; END IF; RETURN NULL; END $$;
      CREATE CONSTRAINT TRIGGER fail_first AFTER INSERT ON bet_trails DEFERRABLE INITIALLY DEFERRED
        FOR EACH ROW EXECUTE FUNCTION fail_first()`);
    let settledWhenFreed = -1;
    const tryHolding: AccountLocks['tryHolding'] = (id, work) =>
      locks.tryHolding(id, () =>
        work().finally(async () => {
          settledWhenFreed = await settledOfRun();
        }),
      );
    const { database, work } = fixture;
    const watched = createSettlement({ database, work, locks: { ...locks, tryHolding }, chunk: BOUND });
    const reported: number[] = [];
    let begun = 1;
    const run = {
      total: BETS_OF_RUN,
      mayGoOn: () => {
        begun += 1;
        return begun <= 2;
      },
      onSettled: async ({ settledCount }: { settledCount: number }) => void reported.push(settledCount),
    };
    try {
      await expect(watched.settle(entry, run)).rejects.toThrow('not this commit');
    } finally {
      await fixture.query('DROP TRIGGER fail_first ON bet_trails; DROP FUNCTION fail_first; DROP SEQUENCE commits');
    }
    expect({ settledWhenFreed, reported }).toEqual({ settledWhenFreed: BOUND, reported: [BOUND] });
  });

  it('begins a chunk before it reports the one before, and settles each bet once', async () => {
    const before = await settledOfRun();
    const reported: number[] = [];
    const end = await small.settle(entry, {
      total: BETS_OF_RUN,
      mayGoOn: () => true,
      onSettled: async ({ settledCount }) => {
        reported.push(settledCount);
        const next = Math.min(before + BOUND * (reported.length + 1), BETS_OF_RUN);
        await waitFor(async () => (await settledOfRun()) >= next);
      },
    });
    const full = Array.from({ length: (BETS_OF_RUN - before) / BOUND }, () => BOUND);
    expect([end, reported]).toEqual(['done', [...full, 0]]);
    const [moved] = await fixture.query(`
      SELECT count(*)::int AS n FROM transactions t JOIN bet_trails e ON e.id = t.bet_trail_id JOIN wagers w ON w.id = e.wager_id
       WHERE w.reference = 'run'`);
    expect(moved?.n).toBe(2 * BETS_OF_RUN);
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
  const progress = await settle(settlement, await jobOf('miscounted'));
  expect(progress).toEqual({ end: 'done', settledCount: left, total: left });
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
    expect(await settle(settlement, large)).toEqual({ end: 'done', settledCount: 0, total: 0 });
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
    expect(await settle(small, large)).toEqual({ end: 'more', settledCount: 0, total: 1 });
    expect(await markOf()).toBe(next - 1);
    expect(await settle(small, large, 1)).toEqual({ end: 'done', settledCount: 1, total: 1 });
    expect(await markOf()).toBe(next);
  });
});
