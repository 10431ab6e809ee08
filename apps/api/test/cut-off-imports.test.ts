import { on, once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { beforeAll, expect, it } from '@jest/globals';
import { expectBooksToBalance } from '#testing/books.js';
import { registerAndLogIn, TestClient } from '#testing/client.js';
import { bodyOf, IMPORT_PATH, importLines, postImport, stateOf, usersOf } from '#testing/imports.js';
import { isLongForm } from '#testing/long-form.js';
import { type PartProcess, startPartOn } from '#testing/part-process.js';
import { openTestBusiness } from '#testing/test-business.js';
import { testSeed } from '#testing/test-seed.js';
import { waitFor } from '#testing/wait-for.js';
import { withTestEnvironment } from '#testing/with-environment.js';
import { freePort } from '#tools/services/free-port.js';
import { createSeededRandom } from '#tools/shared/seeded-random.js';

// An import that ends anywhere is sent again, whole, and leaves what one whole import leaves.

const CUTS = isLongForm ? 100 : 12;
const KILLS = isLongForm ? 10 : 2;

const random = createSeededRandom(testSeed);
const lines = [
  ...usersOf(2_000),
  { reference: 'taken', name: 'Ann', funds: { amount: 1, reference: 'import:user-7' } },
];
const body = Buffer.from(bodyOf(lines));

const environment = withTestEnvironment(async () => api?.kill());
let port: number;
let api: PartProcess;
let whole: unknown;

beforeAll(async () => {
  port = await freePort();
  await start();
  const twin = await open();
  await importLines(twin.client, lines);
  whole = await stateOf(environment.database, twin.id);
});

async function start(): Promise<void> {
  api = await startPartOn(environment, 'api', { PORT: String(port), BCRYPT_COST: '10' });
}

const open = () => registerAndLogIn(new TestClient(`http://127.0.0.1:${port}`));

const headOf = (token: string) =>
  `POST ${IMPORT_PATH} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/x-ndjson\r\nContent-Length: ${body.length}\r\nExpect: 100-continue\r\n\r\n`;

/** A connection whose server has asked for the body. An import before may hold its turn for another moment. */
const begin = (token: string): Promise<Socket> =>
  waitFor(async () => {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    socket.write(headOf(token));
    let text = '';
    for await (const data of on(socket, 'data', { close: ['close'] })) {
      text += String(data);
      if (text.includes(' 429 ')) return undefined;
      if (text.endsWith('100 Continue\r\n\r\n')) return socket;
    }
    throw new Error(`the server hung up: ${text}`);
  });

/** Sends so many bytes of the body, and hangs up. */
async function sendPart(token: string, bytes: number): Promise<void> {
  const socket = await begin(token);
  await new Promise((resolve) => socket.write(body.subarray(0, bytes), resolve));
  socket.destroy();
}

const usersIn = async (id: number) => {
  const [row] = await environment.database.query('SELECT count(*)::int AS users FROM users WHERE account_id = $1', [
    id,
  ]);
  return Number(row?.users);
};

/** The import before may hold its turn for another moment. */
const sendWhole = (client: TestClient) =>
  waitFor(async () => {
    const answer = await postImport(client, lines);
    return answer.status === 429 ? undefined : answer;
  });

it('an import that is cut off at any byte can be sent again', async () => {
  const { client, token, id } = await open();
  for (let cut = 0; cut < CUTS; cut += 1) await sendPart(token, random.below(body.length));
  expect((await sendWhole(client)).status).toBe(200);
  expect(await stateOf(environment.database, id)).toEqual(whole);
  // The caller sends the last byte too, and hangs up before the answer.
  await sendPart(token, body.length);
  expect((await sendWhole(client)).status).toBe(200);
  expect(await stateOf(environment.database, id)).toEqual(whole);
});

it('an import whose caller hangs up in the middle of the work can be sent again', async () => {
  const { client, token, id } = await open();
  const socket = await begin(token);
  socket.write(body);
  await waitFor(async () => (await usersIn(id)) > 0);
  socket.destroy();
  expect((await sendWhole(client)).status).toBe(200);
  expect(await stateOf(environment.database, id)).toEqual(whole);
});

it('an import whose process is killed can be sent again', async () => {
  for (let kill = 0; kill < KILLS; kill += 1) {
    const { client, id } = await open();
    const lost = postImport(client, lines).catch(() => 'lost');
    const atUsers = 1 + random.below(1_500);
    await waitFor(async () => (await usersIn(id)) >= atUsers);
    await api.kill();
    await lost;
    await start();
    expect((await sendWhole(client)).status).toBe(200);
    expect(await stateOf(environment.database, id)).toEqual(whole);
  }
  await expectBooksToBalance(environment.database);
});

it('takes one body of an account at a time, and others wait for neither it nor a slow sender', async () => {
  const { client, token } = await open();
  // The server asks for a body before it knows the caller, so the second import may be the first that takes the place.
  let tries = 0;
  const [slow, refused] = await waitFor(async () => {
    const socket = await begin(token);
    socket.write(body.subarray(0, 1_000));
    const answer = await postImport(client, lines.slice(0, 1));
    if (answer.status === 429) return [socket, answer] as const;
    socket.destroy();
    tries += 1;
    expect([answer.status, tries < 5]).toEqual([200, true]);
    return undefined;
  });
  expect([refused.body, refused.headers.get('Retry-After')]).toEqual([
    { status: 429, error: 'Too many requests: try again later' },
    '5',
  ]);
  const other = await openTestBusiness(new TestClient(`http://127.0.0.1:${port}`));
  expect(await importLines(other.client, lines.slice(0, 1))).toMatchObject([{ status: 201 }]);
  slow.destroy();
  expect((await sendWhole(client)).status).toBe(200);
});

it.each([
  [
    'behind another request',
    'GET /events?after=now&wait_ms=30000 HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer TOKEN\r\n\r\n',
  ],
  ['before its body', ''],
])('holds no place after its connection has ended: %s', async (_when, before) => {
  const { client, token } = await open();
  for (let time = 0; time < 3; time += 1) {
    const socket = connect(port, '127.0.0.1');
    socket.write(before.replace('TOKEN', token));
    socket.write(
      `POST ${IMPORT_PATH} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/x-ndjson\r\nContent-Length: 1000\r\n\r\n{`,
    );
    await once(socket, 'connect');
    socket.destroy();
  }
  await waitFor(async () => (await postImport(client, lines.slice(0, 1))).status === 200);
});
