import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { TcpProxy } from '#proof/storm/cluster/tcp-proxy.js';
import { logIn } from '#testing/client.js';
import { valueIn } from '#testing/metrics.js';
import { startTestApi, startTestWorker, type TestPart } from '#testing/parts.js';
import { openTestPair, type TestPair } from '#testing/postgres-pair.js';
import { startClock } from '#testing/standstills.js';
import { ok, openTestBusiness, type TestBusiness } from '#testing/test-business.js';
import { waitFor } from '#testing/wait-for.js';
import { withTestEnvironment } from '#testing/with-environment.js';
import { freePort } from '#tools/services/free-port.js';
import { runProgram } from '#tools/services/run-program.js';

const environment = withTestEnvironment(async () => {
  await writer?.close();
  await reader?.close();
  toStandby?.close();
  await pair?.stop();
});
let pair: TestPair;
/** One writes, the other reads. */
let writer: TestPart;
let reader: TestPart;
let business: TestBusiness;
let toStandby: TcpProxy;
let settings: { readonly DATABASE_URL: string; readonly READ_DATABASE_URL: string };

/** A list waits for the standby for 0.2 s; the rest is for other work of the machine. */
const SOON_MS = 2_000;

beforeAll(async () => {
  pair = await openTestPair(environment);
  const standby = await pair.standbyUrl();
  toStandby = await TcpProxy.open({ port: await freePort(), targetPort: Number(new URL(standby).port) });
  settings = { DATABASE_URL: pair.url, READ_DATABASE_URL: toStandby.through(standby) };
  writer = await startTestApi(environment, settings);
  reader = await startTestApi(environment, settings);
  business = await openTestBusiness(writer.client);
  await business.user('ann', 1_000_000);
});

const answeredBy = async (server: 'standby' | 'primary', part = reader) =>
  valueIn((await part.client.get('/metrics')).body, 'ledger_reads_total', { server }) ?? 0;

/** Through the process that does not write. */
async function openBets(query = ''): Promise<{ readonly total: number }> {
  return ok(await reader.client.as({ token: business.account.token }).get(`/bets/open-bets${query}`), 200);
}

/** For a second after a read that the standby could not serve, the primary serves all. */
const untilAnsweredBy = async (server: 'standby' | 'primary') => {
  const before = await answeredBy(server);
  await waitFor(async () => {
    await openBets();
    return (await answeredBy(server)) > before;
  });
};

const pauseReplay = () => pair.queryStandby('SELECT pg_wal_replay_pause()');
const resumeReplay = () => pair.queryStandby('SELECT pg_wal_replay_resume()');

describe('lists with READ_DATABASE_URL', () => {
  it('are read from the standby, at any offset', async () => {
    ok(await business.make('ann', 1));
    // A standby that is late for a moment leaves a list to the primary.
    await waitFor(async () => {
      await untilAnsweredBy('standby');
      const before = [await answeredBy('standby'), await answeredBy('primary')];
      expect((await openBets()).total).toBe(1);
      expect((await openBets('?page=600&per_page=10')).total).toBe(1);
      const after = [await answeredBy('standby'), await answeredBy('primary')];
      return after[0] === (before[0] ?? 0) + 2 && after[1] === before[1];
    });
  });

  it('show what another process has just written, also while the standby replays nothing', async () => {
    await untilAnsweredBy('standby');
    const { total } = await openBets();
    await pauseReplay();
    try {
      for (const more of [1, 2, 3]) {
        ok(await business.make('ann', 1));
        expect((await openBets()).total).toBe(total + more);
      }
    } finally {
      await resumeReplay();
    }
    await untilAnsweredBy('standby');
  });

  it('show every acknowledged write while the standby falls behind and catches up', async () => {
    let acknowledged = (await openBets()).total;
    let isOver = false;
    const stale: string[] = [];
    const write = async () => {
      while (!isOver) {
        ok(await business.make('ann', 1));
        acknowledged += 1;
      }
    };
    const read = async () => {
      while (!isOver) {
        const expected = acknowledged;
        const { total } = await openBets();
        if (total < expected) stale.push(`${total} of ${expected}`);
      }
    };
    const running = Promise.all([write(), write(), read(), read(), read()]);
    for (let round = 0; round < 2; round += 1) {
      await untilAnsweredBy('standby');
      await pauseReplay();
      await untilAnsweredBy('primary');
      await resumeReplay();
    }
    await untilAnsweredBy('standby');
    isOver = true;
    await running;
    expect(stale).toEqual([]);
  });

  it.each([
    ['goes silent', () => toStandby.silence('both directions')],
    ['is away', () => toStandby.refuse()],
  ])('are read from the primary when the standby %s', async (_case, fail) => {
    await untilAnsweredBy('standby');
    fail();
    try {
      const refusedBefore = await answeredBy('primary');
      const clock = startClock(environment.database);
      await openBets();
      await openBets();
      expect(clock.now()).toBeLessThan(SOON_MS);
      await clock.stop();
      expect(await answeredBy('primary')).toBeGreaterThan(refusedBefore);
      expect((await reader.client.get('/readyz')).status).toBe(200);
    } finally {
      toStandby.accept();
    }
    await untilAnsweredBy('standby');
  });

  it('are read from the primary when the address is that of another PostgreSQL, or of the primary', async () => {
    for (const address of [environment.database.url, pair.url]) {
      const api = await startTestApi(environment, { DATABASE_URL: pair.url, READ_DATABASE_URL: address });
      try {
        ok(await api.client.as({ token: business.account.token }).get('/bets/open-bets'), 200);
        expect([await answeredBy('standby', api), await answeredBy('primary', api)]).toEqual([0, 1]);
      } finally {
        await api.close();
      }
    }
  });

  it('follow the address of the standby when it moves, though its connections stay open', async () => {
    const [primary, standby] = [new URL(pair.url), new URL(await pair.standbyUrl())];
    toStandby.moveTo(Number(primary.port));
    toStandby.refuse();
    toStandby.accept();
    await untilAnsweredBy('primary');
    toStandby.moveTo(Number(standby.port));
    await untilAnsweredBy('standby');
  });

  it('stay with the primary where they decide who may enter', async () => {
    await pauseReplay();
    try {
      const client = reader.client.as({ token: business.account.token });
      ok(await client.get('/account/user'), 200);
      ok(await business.client.post('/auth/logout/account'), 200);
      expect((await client.get('/account/user')).status).toBe(401);
    } finally {
      await resumeReplay();
    }
    business = { ...business, account: { ...business.account, token: await logIn(writer.client, business.account) } };
  });
});

describe('a standby that has not been promoted', () => {
  it('takes no writes: the answer is 503, not a fault', async () => {
    const api = await startTestApi(environment, { DATABASE_URL: await pair.standbyUrl() });
    try {
      const { status } = await api.client.as({ token: business.account.token }).post('/account/user', { name: 'Eve' });
      expect(status).toBe(503);
    } finally {
      await api.close();
    }
  });
});

describe('beside lists, the standby serves', () => {
  it('figures of the worker', async () => {
    const worker = await startTestWorker(environment, { ...settings, WORKER_METRICS_PORT: '0' });
    try {
      const page = () => fetch(`http://127.0.0.1:${worker.metricsPort}/metrics`).then((answer) => answer.text());
      await waitFor(async () => (valueIn(await page(), 'ledger_reads_total', { server: 'standby' }) ?? 0) > 0);
      const isUp = async () => valueIn(await page(), 'ledger_database_up') === 1;
      await waitFor(isUp);
      await waitFor(async () => valueIn(await page(), 'ledger_settling_wagers') === 0);
    } finally {
      await worker.close();
    }
  });

  it('the audit command, while the primary alone is asked how far the standby must be', async () => {
    const main = fileURLToPath(new URL('../../cli/audit.js', import.meta.url));
    const readsOf = async () => {
      const [row] = await pair.queryStandby(
        `SELECT sum(tup_returned + tup_fetched)::int AS rows FROM pg_stat_database`,
      );
      return Number(row?.rows);
    };
    const before = await readsOf();
    const { succeeded, output } = await runProgram(process.execPath, [main], { env: settings });
    expect({ succeeded, output }).toMatchObject({
      succeeded: true,
      output: expect.stringContaining('The books balance'),
    });
    // PostgreSQL adds up what a session has read some time after it ended.
    await waitFor(async () => (await readsOf()) > before);
  });
});
