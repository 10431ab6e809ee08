import { beforeAll, describe, expect, it } from '@jest/globals';
import { TcpProxy } from '../../proof/storm/cluster/tcp-proxy.js';
import { logIn } from '../../testing/client.js';
import { startTestApi, type TestPart } from '../../testing/parts.js';
import { ok, openTestBusiness, type TestBusiness } from '../../testing/test-business.js';
import { waitFor } from '../../testing/wait-for.js';
import { withTestEnvironment } from '../../testing/with-environment.js';
import { freePort } from '../../tools/services/free-port.js';
import { createLedgerClient, type LedgerClient, LedgerError, type LedgerEvent } from './client.js';

const environment = withTestEnvironment(async () => {
  proxy?.close();
  await api?.close();
});
let api: TestPart;
let proxy: TcpProxy;
let business: TestBusiness;

beforeAll(async () => {
  api = await startTestApi(environment);
  const targetPort = Number(new URL(api.client.baseUrl).port);
  proxy = await TcpProxy.open({ port: await freePort(), targetPort });
  business = await openTestBusiness(api.client, { ann: 1_000, bob: 1_000 });
});

const through = (token = business.account.token): LedgerClient =>
  createLedgerClient({ baseUrl: `http://127.0.0.1:${proxy.port}`, token, firstWaitMs: 5, maxWaitMs: 100 });

const cut = () => {
  proxy.refuse();
  proxy.accept();
};

const logOf = async (): Promise<LedgerEvent[]> => ok(await business.client.get('/events?limit=1000'), 200).data;

/** Collects in the background. */
function collect<Item>(items: AsyncGenerator<Item>) {
  const found: Item[] = [];
  const done = (async () => {
    for await (const item of items) found.push(item);
  })();
  const failure = done.then(
    () => undefined,
    (error: unknown) => error,
  );
  return { found, failure };
}

describe('events.follow', () => {
  it('has each event once, in order, over cuts at any moment', async () => {
    const [first] = await logOf();
    const stopping = new AbortController();
    let reconnects = 0;
    const onReconnect = () => {
      reconnects += 1;
    };
    const options = { signal: stopping.signal, onReconnect };
    const { found, failure } = collect(through().events.follow({ after: first?.cursor ?? '' }, options));
    for (let round = 0; round < 6; round += 1) {
      for (let made = 0; made < 5; made += 1) ok(await business.make('ann', 1));
      cut();
    }
    ok(await business.make('ann', 2));
    const expected = (await logOf()).slice(1);
    await waitFor(() => found.length >= expected.length);
    expect(found).toEqual(expected);
    expect(reconnects).toBeGreaterThan(0);
    stopping.abort(new Error('enough'));
    expect(await failure).toEqual(new Error('enough'));
  });

  it('goes on over a restart of the API', async () => {
    const following = await startTestApi(environment);
    proxy.moveTo(Number(new URL(following.client.baseUrl).port));
    const stopping = new AbortController();
    const positions: string[] = [];
    const onPosition = (cursor: string) => positions.push(cursor);
    const { found, failure } = collect(
      through().events.follow({ from: 'now' }, { signal: stopping.signal, onPosition }),
    );
    await waitFor(() => positions.length > 0);
    await following.close();
    ok(await business.make('bob', 3));
    proxy.moveTo(Number(new URL(api.client.baseUrl).port));
    await waitFor(() => found.length > 0);
    expect(found).toEqual((await logOf()).slice(-1));
    expect(positions.at(-1)).not.toBe(positions[0]);
    stopping.abort();
    expect(await failure).toMatchObject({ name: 'AbortError' });
  });

  it('ends its connection when its caller needs no more, and takes filters', async () => {
    const [first] = await logOf();
    for await (const { type } of through().events.follow({ after: first?.cursor ?? '', types: ['offer.*'] })) {
      expect(type).toBe('offer.made');
      break;
    }
    await waitFor(async () => {
      const page = String((await api.client.get('/metrics')).body);
      return page.includes('ledger_streams_open{kind="events"} 0');
    });
  });

  it('fails with the status when the credential has ended, and when the cursor is of another history', async () => {
    const token = await logIn(api.client, business.account);
    const positions: string[] = [];
    const onPosition = (cursor: string) => positions.push(cursor);
    const { failure } = collect(through(token).events.follow({}, { onPosition }));
    await waitFor(() => positions.length > 0);
    ok(await business.client.as({ token }).post('/auth/logout/account'), 200);
    const ended = await failure;
    expect(ended).toBeInstanceOf(LedgerError);
    expect(ended).toMatchObject({ status: 401, operation: 'GET /events/stream' });
    const future = Buffer.from((await logOf()).at(-1)?.cursor ?? '', 'base64url');
    future.writeBigInt64BE(1_000_000n, 9);
    const undone = collect(through().events.follow({ after: future.toString('base64url') }));
    expect(await undone.failure).toMatchObject({ status: 409, texts: ['cursor unknown: history was restored'] });
  });
});

describe('books.follow', () => {
  it('has the book after each change, also over cuts', async () => {
    ok(await business.make('ann', 10, 3, { wager_reference: 'final' }));
    const stopping = new AbortController();
    const { found, failure } = collect(through().books.follow({ reference: 'final' }, { signal: stopping.signal }));
    const levels = async () => ok(await business.client.get('/wagers/final/book'), 200).levels;
    const isCurrent = async () => {
      const current = JSON.stringify(await levels());
      return JSON.stringify(found.at(-1)?.levels) === current;
    };
    await waitFor(isCurrent);
    ok(await business.make('bob', 4, 2.5, { wager_reference: 'final' }));
    await waitFor(isCurrent);
    cut();
    ok(await business.accept('bob', 3, { wager_reference: 'final' }));
    ok(await business.accept('ann', 4, { wager_reference: 'final', maximum_odds: 2.5 }));
    await waitFor(isCurrent);
    expect(found.map((book) => book.levels.map(({ odds }) => odds))).toContainEqual([2.5, 3]);
    stopping.abort();
    await failure;
    const unknown = collect(through().books.follow({ reference: 'never' }));
    expect(await unknown.failure).toMatchObject({ status: 404, operation: 'GET /wagers/never/book/stream' });
  });
});
