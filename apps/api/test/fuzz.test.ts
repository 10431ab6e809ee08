import { once } from 'node:events';
import { connect } from 'node:net';
import { beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import pg from 'pg';
import { expectBooksToBalance } from '#testing/books.js';
import { createAnswerCheck, typeOf } from '#testing/documented-client.js';
import { type HostileRequest, hostileRequests, wrongKinds } from '#testing/hostile-requests.js';
import { isLongForm } from '#testing/long-form.js';
import { kindOf } from '#testing/named-resources.js';
import { startTestApi, type TestPart } from '#testing/parts.js';
import { createQuickAccount, grantToken } from '#testing/quick-accounts.js';
import { buildRequest, type Field, fixedValueOf, formsOf, type RequestForm, titleOf } from '#testing/request-forms.js';
import { type RawAnswer, sendRaw } from '#testing/send-raw.js';
import { createDigester, type TableDigests } from '#testing/table-digests.js';
import { offer, ok } from '#testing/test-business.js';
import { withTestEnvironment } from '#testing/with-environment.js';
import { endpoints } from '../endpoints.js';
import { createDocument } from '../openapi/document.js';

// Sends hostile bodies, queries, paths and headers to every route: each refuses the request or does it, never breaks, and
// a refused request changes nothing. Every answer is as documented, without a field more.

/** Every run sends the same requests; each form gets its own. */
let seed = 20_261_121;
const REQUESTS_OF_A_FORM = isLongForm ? 200 : 10;

/** The API stores the refusal of a request with a key, and lists refusals and wrong passwords: they have no other effect. */
const STORED_REFUSALS = ['stored_answers', 'account_events', 'refused_calls'];
/** Internals that only a bug would put into an answer. */
/** Help texts of metrics may name PostgreSQL. */
const HELP = /^# HELP .*$/gm;
const INSIDES = /node_modules|\.[jt]s:\d+|prisma|PostgreSQL|SQLSTATE| {4}at /i;

const environment = withTestEnvironment(async () => {
  await sql?.end();
  await api?.close();
});
let api: TestPart;
let sql: pg.Client;
let accountIds: Record<'business' | 'admin', number>;
let digest: () => Promise<TableDigests>;
let lastDigests: TableDigests;
let rightValues: Readonly<Record<string, unknown>>;

beforeAll(async () => {
  api = await startTestApi(environment, { RATE_LIMITS: 'off', ALLOW_PRIVATE_WEBHOOKS: 'true' });
  sql = new pg.Client({ connectionString: environment.database.url });
  await sql.connect();
  digest = await createDigester(database, { without: STORED_REFUSALS });
  const business = await createQuickAccount(database);
  const admin = await createQuickAccount(database, { role: 'admin' });
  accountIds = { business: business.id, admin: admin.id };
  rightValues = await createWorld(business.id, business.token, business.email);
});

const database = { query: async (text: string, values?: unknown[]) => (await sql.query(text, values)).rows };

/** A valid value for each field, by its kind or its name. */
async function createWorld(accountId: number, token: string, email: string) {
  const client = api.client.as({ token });
  for (const reference of ['ann', 'bob']) {
    ok(await client.post('/account/user', { name: reference, reference, meta: { of: reference } }));
    ok(await client.post('/transactions/fund-user', { user_reference: reference, amount: 100_000 }));
  }
  const { data: users } = ok(await client.get('/account/user'), 200);
  const { data: bet } = ok(await client.post('/bets/make-offer', offer('ann', 1_000)));
  const { data: transactions } = ok(await client.get('/transactions'), 200);
  const { data: apiKey } = ok(await client.post('/auth/account/api-keys', { name: 'hers' }));
  const { data: sessions } = ok(await client.get('/auth/account/sessions'), 200);
  const period = { from: '2026-01-01', to: '2026-02-01' };
  const { data: file } = ok(await client.post('/exports', { kind: 'bets', ...period }), 202);
  const hook = { url: 'http://127.0.0.1:9/', types: ['wager.*'] };
  const { data: webhook } = ok(await client.post('/webhook-endpoints', hook));
  return {
    apiKey: apiKey.id,
    export: file.id,
    webhookEndpoint: webhook.id,
    url: hook.url,
    types: 'wager.*',
    after: null,
    session: sessions[0].id,
    account: accountId,
    user: users.items.at(-1).id,
    userReference: 'ann',
    wagerReference: 'match',
    bet: bet.bet_id,
    transaction: transactions[0].id,
    transactionReference: transactions[0].reference,
    email,
    password: 'not the right horse',
    new_password: 'a newer horse',
    password_confirmation: 'a newer horse',
    token: '12345678',
    name: 'Ann',
    kind: 'bets',
    format: 'csv',
    from: '2026-01-01',
    to: '2026-02-01',
    amount: 1,
    requesting_odds: 2,
    requesting_amount: 1,
    maximum_odds: 10,
    accepting_amount: 1,
    accepting_user_reference: 'bob',
    cancel_amount: 1,
    outcome: 'undecided',
    override_outcome: 'push',
    operation_id: 'x1',
    meta: { of: 'hers' },
    seq: 1,
  };
}

function rightOnes(form: RequestForm): Map<Field, unknown> {
  const right = new Map<Field, unknown>();
  for (const field of form.fields) {
    if (field.place === 'query' && !field.isRequired) continue;
    const named = Object.hasOwn(rightValues, field.name) ? rightValues[field.name] : undefined;
    const kind = kindOf(form, field);
    // Either an id or a reference is enough: take the reference.
    const isSpare = kind === 'user' && field.place === 'body';
    const value = fixedValueOf(field) ?? named ?? (kind && !isSpare ? rightValues[kind] : undefined);
    if (value !== undefined) right.set(field, value);
  }
  return right;
}

/** Of a malformed request, and of one that a rule refuses. */
const isDocumentedFault = (body: { status?: unknown; statusCode?: unknown; error?: unknown; message?: unknown }) =>
  (body.statusCode === 400 && Array.isArray(body.message)) || (body.status === 400 && typeof body.error === 'string');

/** The right request with one field of a wrong kind: each field, each kind. */
function* wronglyFilled(form: RequestForm) {
  const right = rightOnes(form);
  for (const field of form.fields) {
    for (const wrong of wrongKinds) {
      if (field.place === 'body') yield buildRequest(form, new Map(right).set(field, wrong));
      else if (typeof wrong === 'string') yield buildRequest(form, new Map(right).set(field, wrong));
    }
    if (field.place !== 'query') continue;
    const { path, ...rest } = buildRequest(form, new Map(right).set(field, 'a'));
    yield { ...rest, path: `${path}&${field.name}=b` };
    yield { ...rest, path: path.replace(`${field.name}=`, `${field.name}[toString]=`) };
  }
}

const shown = ({ method, path, headers, body }: HostileRequest) =>
  `${method} ${path} ${JSON.stringify(headers)} ${String(body).slice(0, 500)}`;

const FAULTY_FRAMING = /"(A GET request must not have a body|The Transfer-Encoding must be chunked, in HTTP\/1\.1)"/;
const check = createAnswerCheck(createDocument({ answers: 'closed' }));

function shapeFaultOf({ method, path }: HostileRequest, { status, headers, text }: RawAnswer): string | undefined {
  // Node.js itself answers what is no HTTP, and framing is judged before there is a route.
  if (headers['x-request-id'] === undefined || method === 'HEAD' || FAULTY_FRAMING.test(text)) return undefined;
  const type = typeOf(headers['content-type']);
  return check.faultOf(method, path, { status, type, body: type === 'application/json' ? JSON.parse(text) : text });
}

const statuses = new Set<number>();
const isPolluted = () => 'polluted' in {} || 'polluted' in Object;

/** Fails when the answer or its effect is not allowed. */
async function faultOf(request: HostileRequest): Promise<string | undefined> {
  const answer = await sendRaw(api.client.baseUrl, request);
  const { status, text } = answer;
  statuses.add(status);
  const before = lastDigests;
  lastDigests = await digest();
  if (status >= 500 || status < 200) return `answered ${status}: ${text}`;
  if (INSIDES.test(text.replace(HELP, ''))) return `shows too much: ${text}`;
  if (isPolluted()) return 'changed what every object has';
  const shapeFault = shapeFaultOf(request, answer);
  if (shapeFault !== undefined) return shapeFault;
  const changed = Object.keys(before).filter((table) => lastDigests[table] !== before[table]);
  return status < 400 || changed.length === 0 ? undefined : `was refused with ${status} and changed ${changed.join()}`;
}

/** A new token for each request, because some of them log out. */
async function grantTokens(accountId: number | undefined): Promise<string[]> {
  await database.query('DELETE FROM access_tokens');
  // An admin may have set it, and the sessions have none.
  await database.query(`UPDATE accounts SET preferences = preferences - 'require_second_factor'`);
  const tokens: string[] = [];
  while (accountId !== undefined && tokens.length < REQUESTS_OF_A_FORM)
    tokens.push(await grantToken(database, accountId));
  return tokens;
}

async function expectHarmless(requests: fc.Arbitrary<HostileRequest>, accountId?: number): Promise<void> {
  const tokens = await grantTokens(accountId);
  lastDigests = await digest();
  seed += 1;
  let count = 0;
  const property = fc.asyncProperty(requests, async (request) => {
    const token = tokens[count % REQUESTS_OF_A_FORM];
    count += 1;
    const headers = { ...(token && { Authorization: `Bearer ${token}` }), ...request.headers };
    const fault = await faultOf({ ...request, headers });
    if (fault !== undefined) throw new Error(`${shown(request)}\n${fault}`);
  });
  await fc.assert(property, { seed, numRuns: REQUESTS_OF_A_FORM });
}

const forms: [string, RequestForm][] = endpoints.flatMap(formsOf).map((form) => [titleOf(form), form]);

/** Routes that are no endpoints, and paths that are no routes. */
const OTHER_PATHS = [
  '/',
  '/healthz',
  '/readyz',
  '/metrics',
  '/docs',
  '/openapi.json',
  '/nowhere',
  '/bets//',
  '/auth/..',
];

describe('hostile requests', () => {
  it.each(forms)('break nothing: %s', async (_title, form) => {
    const { access } = form.endpoint;
    const accountId = access === 'admin' ? accountIds.admin : accountIds.business;
    await expectHarmless(hostileRequests(form, rightOnes(form)), access === 'public' ? undefined : accountId);
  });

  it.each(forms.filter(([, { fields }]) => fields.length > 0))(
    'with a value of the wrong kind in each field get the documented answer: %s',
    async (_title, form) => {
      const { access } = form.endpoint;
      const [token] = await grantTokens(access === 'admin' ? accountIds.admin : accountIds.business);
      const headers = {
        'Content-Type': 'application/json',
        ...(access !== 'public' && { Authorization: `Bearer ${token}` }),
      };
      for (const { method, path, body } of wronglyFilled(form)) {
        const request = { method, path, headers, body: body && JSON.stringify(body) };
        const { status, text } = await sendRaw(api.client.baseUrl, request);
        if (status >= 500) throw new Error(`${shown(request)}\nanswered ${status}: ${text}`);
        if (status === 400) expect(isDocumentedFault(JSON.parse(text))).toBe(true);
      }
    },
  );

  it.each(OTHER_PATHS)('break nothing: %s', async (path) => {
    const [, form] = forms[0] as [string, RequestForm];
    const elsewhere = hostileRequests(form, rightOnes(form)).map((request) => {
      const query = request.path.split('?')[1];
      return { ...request, path: query === undefined ? path : `${path}?${query}` };
    });
    await expectHarmless(elsewhere);
  });

  it.each([
    ['no HTTP', 'nonsense\r\n\r\n'],
    ['a control character in a header', 'GET /healthz HTTP/1.1\r\nHost: a\r\nX: a\u0000b\r\n\r\n'],
    ['two lengths', 'POST /bets/batch HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n{}'],
    ['a length that is none', 'POST /bets/batch HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n'],
    [
      'a length and chunks',
      'POST /bets/batch HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET',
    ],
    ['a chunk that is none', 'POST /bets/batch HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n'],
    ['endless headers', `GET /healthz HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`],
    ['an endless path', `GET /${'x'.repeat(20_000)} HTTP/1.1\r\nHost: a\r\n\r\n`],
  ])('break nothing: %s', async (_case, bytes) => {
    expect(await answerTo(bytes)).toMatch(/^HTTP\/1\.1 4\d\d /);
  });

  it('break nothing: a bottomless body with an Idempotency-Key', async () => {
    const headers = { 'Content-Type': 'application/json', 'Idempotency-Key': 'deep' };
    const [token = ''] = await grantTokens(accountIds.business);
    for (const body of ['['.repeat(50_000) + ']'.repeat(50_000), `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`]) {
      const request = {
        method: 'POST',
        path: '/bets/batch',
        headers: { ...headers, Authorization: `Bearer ${token}` },
        body,
      };
      expect(await sendRaw(api.client.baseUrl, request)).toMatchObject({ status: 400 });
    }
  });

  it('were of all kinds, and leave the service as it was', async () => {
    for (const status of [200, 201, 400, 401, 404, 413, 415]) expect(statuses).toContain(status);
    expect((await api.client.get('/readyz')).status).toBe(200);
    expect(environment.logLines.filter((line) => /unexpected error|cannot go on/.test(line))).toEqual([]);
    await expectBooksToBalance(environment.database);
  });
});

/** The answer to exactly these bytes. */
async function answerTo(bytes: string): Promise<string> {
  const socket = connect(Number(new URL(api.client.baseUrl).port), '127.0.0.1');
  let answer = '';
  socket.setEncoding('latin1').on('data', (text) => {
    answer += text;
  });
  socket.on('error', () => undefined); // it may be closed while we still write
  socket.write(bytes, 'latin1');
  await once(socket, 'close');
  return answer;
}
