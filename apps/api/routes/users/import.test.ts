import { gzipSync } from 'node:zlib';
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { LedgerEvent } from '#clients/typescript/client.js';
import { registerAndLogIn, type TestClient } from '#testing/client.js';
import { holdLog } from '#testing/held-log.js';
import {
  bodyOf,
  IMPORT_PATH,
  importLines,
  LINES_HEADERS,
  linesIn,
  postImport,
  stateOf,
  usersOf,
} from '#testing/imports.js';
import { createDigester } from '#testing/table-digests.js';
import { ok } from '#testing/test-business.js';
import { waitFor } from '#testing/wait-for.js';
import { withTestApi } from '#testing/with-test-api.js';

const api = withTestApi({ isAudited: true, processes: 2 });
let client: TestClient;
let token: string;
let accountId: number;

beforeEach(async () => {
  ({ client, token, id: accountId } = await registerAndLogIn(api.client));
});

const userOf = async (reference: string) => (await client.get(`/account/user/${reference}/reference`)).body.data;
const ann = { reference: 'ann', name: 'Ann', funds: { amount: 12.5 } };
const refusedAs = (line: number, status: number, code: string, error: string) => ({ line, status, code, error });
const malformed = (line: number, ...message: string[]) => ({
  ...refusedAs(line, 400, 'malformed', 'Bad Request'),
  message,
});
const referenceTaken = 'A user with this reference already exists';
const ownReferenceTaken = 'A transaction with this reference already exists';

describe('an import', () => {
  it('creates users and gives them money, as single calls do', async () => {
    const meta = { team: 'Rovers' };
    const preferences = { allow_negative_balance: true };
    const bob = { reference: 'bob', name: 'Bob', meta, preferences, funds: null };
    const cat = { reference: 'cat', name: 'Cat', funds: { amount: 3, description: 'Bonus', reference: 'p1', meta } };
    const lines = await importLines(client, [ann, bob, cat]);
    const time = expect.stringMatching(/\.\d{3}Z$/);
    const funds = { is_new: true, id: expect.any(Number), reference: expect.stringMatching(/^TX_/), created_at: time };
    const done = (line: number, reference: string) => {
      const user = { id: expect.any(Number), reference, created_at: time };
      return { line, status: 201, is_new: true, user };
    };
    expect(lines).toEqual([
      {
        ...done(1, 'ann'),
        funds: { ...funds, own_reference: 'import:ann', amount: 12.5, balance_after: 12.5 },
      },
      { ...done(2, 'bob'), funds: null },
      {
        ...done(3, 'cat'),
        funds: { ...funds, own_reference: 'p1', amount: 3, balance_after: 3 },
      },
    ]);
    expect(await userOf('bob')).toMatchObject({ name: 'Bob', meta, preferences, balance: 0 });
    expect(await userOf('ann')).toMatchObject({ id: lines[0].user.id, balance: 12.5, meta: null, preferences: null });
    const { data } = ok(await client.get('/transactions?sort_direction=asc'), 200);
    expect(data.map(({ id }: { id: number }) => id)).toEqual([lines[0].funds.id, lines[2].funds.id]);
    expect(data[0]).toMatchObject({ description: 'Balance funded', own_reference: 'import:ann', balance_after: 12.5 });
    expect(data[1]).toMatchObject({ description: 'Bonus', own_reference: 'p1', meta });
  });

  it('leaves nothing of a dry run, which tells what each line would do', async () => {
    ok(await client.post('/account/user', { name: 'Ann', reference: 'ann' }));
    const before = await stateOf(api.database, accountId);
    const lines = [
      { reference: 'ann', name: 'Ann' },
      { reference: 'ann2', name: 'Ann', funds: { amount: 5 } },
      { reference: 'bob', name: '' },
      { reference: 'ann2', name: 'Other' },
    ];
    const other = { reference: 'cat', name: 'Cat', funds: { amount: 1, reference: 'import:ann2' } };
    const dryRun = async (rows: readonly object[]) => {
      const answer = await client.post(`${IMPORT_PATH}?dry_run=true`, bodyOf(rows), { headers: LINES_HEADERS });
      return linesIn(ok(answer, 200) as unknown as string);
    };
    const told = await dryRun(lines);
    expect(told).toEqual([
      { line: 1, status: 200, is_trial: true },
      { line: 2, status: 201, is_trial: true },
      expect.objectContaining({ line: 3, status: 400, code: 'malformed' }),
      malformed(4, 'reference must not repeat that of line 2'),
    ]);
    expect(await stateOf(api.database, accountId)).toEqual(before);
    await importLines(client, lines);
    expect(await dryRun([...lines.slice(0, 2), { reference: 'bob', name: 'Bob' }, other])).toEqual([
      { line: 1, status: 200, is_trial: true },
      { line: 2, status: 200, is_trial: true },
      { line: 3, status: 201, is_trial: true },
      refusedAs(4, 409, 'own-reference-taken', ownReferenceTaken),
    ]);
  });

  it('is logged as single calls are: the users first, then their money', async () => {
    await importLines(client, [ann, { ...ann, reference: 'bob' }]);
    const { data } = ok(await client.get('/events?after='), 200);
    const told = data.map(({ type, user, transactions }: LedgerEvent) => [
      type,
      user?.reference ?? transactions?.[0]?.own_reference,
    ]);
    expect(told).toEqual([
      ['user.created', 'ann'],
      ['user.created', 'bob'],
      ['transaction.created', 'import:ann'],
      ['transaction.created', 'import:bob'],
    ]);
  });

  it('changes nothing when it is sent again', async () => {
    const lines = usersOf(250);
    const first = await importLines(client, lines);
    const digest = await createDigester(api.database, { accountId });
    const before = await digest();
    const second = await importLines(client, lines);
    expect(second).toEqual(
      first.map((line) => ({ ...line, status: 200, is_new: false, funds: { ...line.funds, is_new: false } })),
    );
    expect(await digest()).toEqual(before);
  });

  it('gives a user that exists money that was not given before, and leaves it as it is', async () => {
    ok(await client.post('/account/user', { reference: 'ann', name: 'Ann', meta: { team: 'Rovers' } }));
    const paid = { user_reference: 'ann', amount: 5, reference: 'p1' };
    const { data } = ok(await client.post('/transactions/fund-user', paid));
    const [first] = await importLines(client, [{ ...ann, meta: { team: 'City' } }]);
    expect(first).toMatchObject({ status: 201, is_new: false, funds: { is_new: true, balance_after: 17.5 } });
    const [second] = await importLines(client, [{ ...ann, funds: { amount: 5, reference: 'p1' } }]);
    expect(second).toMatchObject({ status: 200, funds: { is_new: false, id: data.id, reference: data.reference } });
    const [third] = await importLines(client, [{ ...ann, funds: undefined }]);
    expect(third).toMatchObject({ status: 200, is_new: false, funds: null });
    expect(await userOf('ann')).toMatchObject({ balance: 17.5, meta: { team: 'Rovers' } });
  });

  it('answers a wrong line at its place, which changes nothing; the others go on', async () => {
    await importLines(client, [ann, { reference: 'out', name: 'Out', funds: { amount: 8, reference: 'p0' } }]);
    ok(await client.post('/transactions/withdraw', { user_reference: 'ann', amount: 1, reference: 'p1' }));
    const money = (amount: number, reference?: string) => ({ funds: { amount, reference } });
    const lines = await importLines(client, [
      '{"reference": "bob"',
      { reference: 'bob', name: 'Bob', colour: 'red', funds: { amount: 0, colour: 'red' } },
      '',
      { reference: 'out', name: 'Other', ...money(1, 'p2') },
      { ...ann, ...money(13) },
      { reference: 'dan', name: 'Dan', ...money(12.5, 'import:ann') },
      { reference: 'eve', name: 'Eve', ...money(1, 'p1') },
      { reference: 'fay', name: 'Fay', ...money(1, 'p3') },
      { reference: 'gus', name: 'Gus', ...money(1, 'p3') },
      { reference: 'fay', name: 'Fay', ...money(2, 'p4') },
      { reference: 'x'.repeat(94), name: 'Hal', funds: { amount: 1 } },
      { reference: 'ian', name: 'x'.repeat(16_384) },
      '7',
      { reference: 'x'.repeat(94), name: 'Joe', ...money(1, 'p5') },
    ]);
    expect(lines).toEqual([
      malformed(1, 'body must be valid JSON'),
      malformed(
        2,
        'funds.amount must not be less than 0.01',
        'property funds.colour should not exist',
        'property colour should not exist',
      ),
      refusedAs(4, 409, 'user-reference-taken', referenceTaken),
      refusedAs(5, 409, 'own-reference-taken', ownReferenceTaken),
      refusedAs(6, 409, 'own-reference-taken', ownReferenceTaken),
      refusedAs(7, 409, 'own-reference-taken', ownReferenceTaken),
      expect.objectContaining({ line: 8, status: 201 }),
      refusedAs(9, 409, 'own-reference-taken', ownReferenceTaken),
      malformed(10, 'reference must not repeat that of line 8'),
      malformed(11, 'funds.reference should not be empty for a user whose reference is longer than 93 characters'),
      refusedAs(12, 413, 'too-large', 'A line must not be larger than 16 KiB'),
      malformed(13, 'body must be an object'),
      expect.objectContaining({ line: 14, status: 201 }),
    ]);
    const { data } = ok(await client.get('/account/user?sort_by=id'), 200);
    const left = data.items.map((user: { reference: string; balance: number }) => [
      user.reference.slice(0, 3),
      user.balance,
    ]);
    expect(new Map(left)).toEqual(
      new Map([
        ['ann', 11.5],
        ['out', 8],
        ['fay', 1],
        ['xxx', 1],
      ]),
    );
  });

  it('names few of very many faults', async () => {
    const wrong = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`k${index}`, 1]));
    const [line] = await importLines(client, [wrong]);
    expect(line.message).toHaveLength(21);
    expect(line.message.at(-1)).toBe('and 482 more faults');
  });

  it('of two processes at the same time gives everything once', async () => {
    const [first, second] = api.clients.map((each) => each.as(client.credential)) as [TestClient, TestClient];
    const lines = usersOf(600);
    const answers = await Promise.all([importLines(first, lines), importLines(second, [...lines].reverse())]);
    for (const answer of answers) expect(answer.every(({ status }) => status < 300)).toBe(true);
    const created = answers.flat().filter(({ is_new }) => is_new);
    const given = answers.flat().filter(({ funds }) => funds.is_new);
    expect([created.length, given.length]).toEqual([600, 600]);
    const { total } = ok(await client.get('/transactions'), 200);
    expect(total).toBe(600);
  });

  it('touches no user of another account', async () => {
    const other = await registerAndLogIn(api.client);
    await importLines(other.client, [ann]);
    const [line] = await importLines(client, [{ ...ann, name: 'Another' }]);
    expect(line).toMatchObject({ status: 201, is_new: true, funds: { is_new: true } });
    expect(ok(await other.client.get('/account/user/ann/reference'), 200).data).toMatchObject({
      name: 'Ann',
      balance: 12.5,
    });
  });

  it('of 5,000 users with money is one of many chunks', async () => {
    const lines = await importLines(client, usersOf(5_000));
    expect(lines.map(({ line, status }) => [line, status])).toEqual(lines.map((_, index) => [index + 1, 201]));
    const { id, ...other } = await registerAndLogIn(api.client);
    const part = usersOf(5_000);
    for (let start = 0; start < part.length; start += 2_500)
      await importLines(other.client, part.slice(start, start + 2_500));
    expect(await stateOf(api.database, accountId)).toEqual(await stateOf(api.database, id));
  });
});

describe('a body', () => {
  const post = (body: string | Uint8Array, headers: Record<string, string>) =>
    fetch(`${client.baseUrl}${IMPORT_PATH}`, {
      method: 'POST',
      body,
      headers: { Authorization: `Bearer ${token}`, ...LINES_HEADERS, ...headers },
    } as RequestInit);

  it('may be compressed, begin with a byte order mark, end without a new line and have Windows line ends', async () => {
    const text = '\ufeff{"reference":"ann","name":"Ann"}\r\n\r\n{"reference":"bob","name":"Bob"}';
    const answer = await post(gzipSync(text), {
      'Content-Encoding': 'gzip',
      'Content-Type': 'Application/X-NDJSON; charset=UTF-8',
    });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('Content-Type')).toBe('application/x-ndjson');
    expect(linesIn(await answer.text())).toMatchObject([
      { line: 1, status: 201 },
      { line: 3, status: 201 },
    ]);
  });

  it.each<[string, () => [string | Uint8Array, Record<string, string>], number, object]>([
    [
      'of JSON',
      () => [bodyOf([ann]), { 'Content-Type': 'application/json' }],
      415,
      { error: 'The Content-Type must be application/x-ndjson' },
    ],
    [
      'of another charset',
      () => [bodyOf([ann]), { 'Content-Type': 'application/x-ndjson; charset=latin1' }],
      415,
      { error: 'The charset is not supported' },
    ],
    [
      'of an unknown encoding',
      () => [bodyOf([ann]), { 'Content-Encoding': 'odd' }],
      415,
      { error: 'The content encoding is not supported' },
    ],
    ['that is empty', () => ['', {}], 400, { message: ['body should not be empty'] }],
    ['of blank lines', () => ['\n\r\n', {}], 400, { message: ['body should not be empty'] }],
    [
      'of too many lines',
      () => [bodyOf(usersOf(5_001)), {}],
      400,
      { message: ['body must contain no more than 5000 lines'] },
    ],
    [
      'that is too large',
      () => [bodyOf(usersOf(4_000, { name: 'x'.repeat(1_100) })), {}],
      413,
      { error: 'The request body must not be larger than 4096 KiB' },
    ],
    [
      'that is too large when it is unpacked',
      () => [gzipSync(bodyOf(usersOf(4_000, { name: 'x'.repeat(1_100) }))), { 'Content-Encoding': 'gzip' }],
      413,
      { error: 'The request body must not be larger than 4096 KiB' },
    ],
  ])('%s is refused as a whole', async (_, given, status, body) => {
    const answer = await post(...given());
    expect([answer.status, await answer.json()]).toEqual([status, expect.objectContaining(body)]);
    expect(ok(await client.get('/account/user'), 200).data.total).toBe(0);
  });

  it('of a suspended account is refused', async () => {
    await api.database.query(`UPDATE accounts SET status = 'suspended' WHERE id = $1`, [accountId]);
    expect((await postImport(client, [ann])).status).toBe(403);
  });

  it('ends when its session does, between two chunks', async () => {
    await importLines(client, [ann]);
    const log = await holdLog(api.database, accountId);
    try {
      const importing = importLines(client, usersOf(200));
      await waitFor(async () => (await log.waits()) === 1);
      ok(await client.post('/auth/logout/account'), 200);
      await log.release();
      const statuses = (await importing).map(({ status }) => status);
      expect(statuses).toEqual([...Array(50).fill(201), ...Array(150).fill(401)]);
    } finally {
      await log.close();
    }
  });

  it('with an Idempotency-Key is one without', async () => {
    const keyed = (lines: object[]) => postImport(client, lines, { 'Idempotency-Key': 'one' });
    expect(linesIn((await keyed([ann])).body)).toMatchObject([{ status: 201 }]);
    expect(linesIn((await keyed([{ ...ann, reference: 'bob' }])).body)).toMatchObject([{ status: 201 }]);
  });
});
