import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { logIn, register, type TestClient } from '#testing/client.js';
import { type AnswerCheck, createAnswerCheck, DocumentedClient } from '#testing/documented-client.js';
import { type DocumentedOperation, operationsOf } from '#testing/documented-routes.js';
import { IMPORT_PATH, linesIn, postImport } from '#testing/imports.js';
import { codeIn, linkTokenIn, mailsInFolder, waitForMail } from '#testing/mails.js';
import { startTestApi } from '#testing/parts.js';
import { addPerson, INVITED, inventPerson, invitationTokenIn } from '#testing/people.js';
import { giveFactor, tokenWithoutFactor, walkThroughFactor } from '#testing/second-factor.js';
import { offer, ok, openTestBusiness, registerAdmin, type TestBusiness } from '#testing/test-business.js';
import { waitFor } from '#testing/wait-for.js';
import { walkApprovals } from '#testing/walk-approvals.js';
import { withTestApi } from '#testing/with-test-api.js';
import { answering as receiving, startWebhookReceiver } from '#tools/shared/webhook-receiver.js';
import { createDocument } from './document.js';

// Calls every operation of the API. The client compares each answer with the document; the last test fails when an
// operation was never called.

/** A field that the document does not name fails here, though callers must take it. */
const document = createDocument({ answers: 'closed' });

const api = withTestApi({ hasWorker: true, settings: { ALLOW_PRIVATE_WEBHOOKS: 'true' } });
let check: AnswerCheck;
let client: DocumentedClient;
let business: TestBusiness;

beforeAll(async () => {
  check = createAnswerCheck(document);
  client = new DocumentedClient(api.client.baseUrl, check);
});

const openHouse = async () => {
  business = await openTestBusiness(client, { ann: 1_000, bob: 1_000 });
};

const mailTo = (to: string, subject: string) =>
  waitForMail(() => mailsInFolder(`${api.environment.folder}/mail`), { to, subject });

describe('a success is as documented', () => {
  beforeEach(openHouse);

  it('of accounts', async () => {
    const account = await register(client);
    const mail = await mailTo(account.email, 'Confirm your e-mail address');
    const owner = client.as({ token: await logIn(client, account) });
    ok(await owner.post('/auth/account/resend-verification-email'), 200);
    ok(await client.get(`/auth/account/verify-email?token=${linkTokenIn(mail)}`), 200);
    const proof = { token: linkTokenIn(mail), password: account.password };
    ok(await client.post('/auth/account/confirm-email', proof), 200);
    ok(await owner.post('/auth/account/resend-verification-email'), 200);
    ok(await owner.patch('/auth/account/preferences', { confirm_keys: true }), 200);
    ok(await owner.patch('/auth/account/preferences', { confirm_keys: false, password: account.password }), 200);
    ok(await owner.patch('/auth/account/money', { currency: 'EUR', decimals: 6 }), 200);
    await walkThroughFactor(client, owner, account);
    const { base64_encoded } = ok(await owner.post('/auth/account/generate-keys')).data;
    ok(await client.as({ base64: base64_encoded }).get('/auth/account/me'), 200);
    const key = ok(await owner.post('/auth/account/api-keys', { name: 'server', role: 'trader' })).data;
    ok(await owner.get('/auth/account/api-keys'), 200);
    ok(await owner.delete(`/auth/account/api-keys/${key.id}`), 200);
    await logIn(client, account);
    const [session] = ok(await owner.get('/auth/account/sessions'), 200).data;
    ok(await owner.delete(`/auth/account/sessions/${session.id}`), 200);
    ok(await owner.get('/account-events'), 200);
    ok(await owner.get('/request-log'), 200);
    ok(await owner.get('/account/health'), 200);
    const reset = { password: account.password, new_password: 'a new one', password_confirmation: 'a new one' };
    ok(await owner.post('/auth/account/reset-password', reset), 200);
    ok(await client.post('/auth/account/forgot-password', { email: account.email }), 200);
    const token = codeIn(await mailTo(account.email, 'Your password reset code'));
    const password = 'a third one';
    const created = { email: account.email, token, password, password_confirmation: password };
    ok(await client.post('/auth/account/create-password-for-forgot-password', created), 200);
    const again = async () => client.as({ token: await logIn(client, { ...account, password }) });
    for (const all of ['', '?logout_all=true']) ok(await (await again()).post(`/auth/logout/account${all}`), 200);
  });

  it('of people', async () => {
    const [owner, person] = [business.account.client, inventPerson()];
    const { id } = ok(await owner.post('/operators', person)).data;
    // A mail that a newer one ends before it is sent is not sent.
    await api.mailTo(person, INVITED);
    ok(await owner.post(`/operators/${id}/invite`), 200);
    const token = invitationTokenIn(await api.mailTo(person, INVITED, 2));
    ok(await client.post('/operators/accept-invitation', { token, password: 'right horse' }), 200);
    for (const path of ['', '/me', `/${id}`]) ok(await owner.get(`/operators${path}`), 200);
    ok(await owner.patch(`/operators/${id}`, { role: 'owner' }), 200);
    await giveFactor(api.database, id);
    for (const part of ['/second-factor', '']) ok(await owner.delete(`/operators/${id}${part}`), 200);
  });

  it('of users', async () => {
    const { client } = business;
    const meta = { favourite_team: 'Rovers' };
    const carol = ok(await client.post('/account/user', { name: 'Carol', reference: 'carol', meta })).data;
    ok(await client.post('/account/user', { name: 'Without a reference', preferences: { colour: 'red' } }));
    expect(ok(await client.get('/account/user?meta_favourite_team=Rovers'), 200).data.total).toBe(1);
    ok(await client.get('/account/user?search=nobody'), 200);
    ok(await client.get(`/account/user/${carol.id}`), 200);
    ok(await client.get('/account/user/carol/reference'), 200);
    ok(await client.patch(`/account/user/${carol.id}`, { preferences: { allow_negative_balance: true } }), 200);
    ok(await client.patch('/account/user/carol/reference', { meta: { seat: '12' } }), 200);
    const lines = linesIn(
      ok(await postImport(client, [{ reference: 'dan', name: 'Dan', funds: { amount: 1 } }, {}]), 200),
    );
    expect(lines.map((line) => check.faultsOfSchema('ImportAnswer', line))).toEqual([[], []]);
    const ann = ok(await client.get('/account/user/ann/reference'), 200).data;
    ok(await business.make('ann', 10));
    expect(ok(await client.get(`/account/user/${ann.id}/positions`), 200).total).toBe(1);
    expect(ok(await client.get('/account/user/ann/statement?limit=1'), 200).closing_balance).toBe(1000);
  });

  it('of bets and wagers', async () => {
    const { client } = business;
    ok(await business.make('ann', 10, 2.5, { allowed_acceptor_references: ['bob'] }));
    ok(await business.make('ann', 30));
    expect(ok(await client.get('/bets/open-bets'), 200).total).toBe(2);
    const [accepted] = ok(await business.accept('bob', 4)).data;
    const [rest] = ok(await business.cancel('ann', { cancel_amount: 1 })).data;
    expect(rest.note).toBeDefined();
    const betId = await business.match('ann', 'bob', 5);
    ok(await business.override(betId, 'half-win'), 200);
    ok(await business.decide('loss'));
    ok(await client.post('/wagers/match/correct', { outcome: 'loss', reason: 'The same again' }), 200);
    for (const flags of ['', '?include_bet_trails=true', '?include_bet_trails_transactions=true']) {
      ok(await client.get(`/bets/history${flags}`), 200);
      ok(await client.get(`/bets/${accepted.bet_id}${flags}`), 200);
      ok(await client.get(`/bets/${betId}${flags}`), 200);
    }
    expect(ok(await client.get('/wagers?outcome=loss,void'), 200).total).toBe(1);
    for (const part of ['', '/book', '/book/stream']) ok(await client.get(`/wagers/match${part}`), 200);
    ok(await client.put('/wagers/timed', { closes_at: '2099-01-15T18:00:00Z', event: 'final' }), 200);
    ok(await client.post('/wagers/timed/suspend', { reason: 'Goal', cancel_offers: true }), 200);
    ok(await client.post('/bets/cancel-after', { timeout_s: 300 }), 200);
    for (const change of ['resume', 'close']) ok(await client.post(`/wagers/timed/${change}`, {}), 200);
    const reads = ['search?q=ann', 'search?q=timed', 'search?q=1', 'series', 'risk/wagers', 'risk/users'];
    for (const read of [...reads, 'wagers?event=final']) ok(await client.get(`/${read}`), 200);
  });

  it('of a batch of everything', async () => {
    const [first, second] = [await business.match('ann', 'bob', 5), await business.match('ann', 'bob', 5)];
    const matched = { wager_reference: 'match', maximum_odds: 3, accepting_amount: 1, accepting_user_reference: 'bob' };
    const canceled = { requesting_user_reference: 'ann', wager_references: ['match'], cancel_all: true };
    const data = {
      make_bet_offer: offer('ann', 5),
      accept_bet_offer: matched,
      cancel_bet_offer: canceled,
      override_bet_outcome: { bet_id: first, override_outcome: 'void' },
      suspend_wager: { wager_reference: 'match' },
      resume_wager: { wager_reference: 'match' },
      close_wager: { wager_reference: 'match', reason: 'Kick-off' },
      update_wager_outcome: { reference: 'match', outcome: 'win' },
    };
    const operations = Object.entries(data).map(([operation_type, one]) => ({
      operation_type,
      operation_id: `${operation_type} of ${second}`,
      data: one,
    }));
    expect(ok(await business.client.post('/bets/batch', { operations })).results).toHaveLength(8);
  });

  it('of transactions', async () => {
    const { client } = business;
    const moved = ok(await client.post('/transactions/withdraw', { user_reference: 'ann', amount: 1.25 })).data;
    await business.match('ann', 'bob', 5);
    ok(await business.decide('push'));
    expect(ok(await client.get('/transactions'), 200).total).toBe(5);
    ok(await client.get(`/transactions/${moved.id}`), 200);
    ok(await client.get(`/transactions/${moved.reference}/reference`), 200);
    const date = String(moved.created_at).slice(0, 10);
    expect(ok(await client.get(`/reconciliation?date=${date}&include=users`), 200).users).toHaveLength(2);
  });

  it('of previews', async () => {
    const { client } = business;
    const operation = { type: 'update_wager_outcome', reference: 'walk', outcome: 'win' };
    const { id } = ok(await client.post('/previews', { operation }), 200).data;
    ok(await client.get(`/previews/${id}`), 200);
    ok(await client.get(`/previews/${id}/users`), 200);
  });

  it('of change requests', async () => {
    const accountId = business.account.id;
    const bea = await addPerson(api.database, business.client, { accountId });
    await walkApprovals(business, bea.client);
  });

  it('of exports', async () => {
    const { client } = business;
    const period = { from: '2026-01-01', to: '2026-02-01' };
    const { id } = ok(await client.post('/exports', { kind: 'bets', user: 'ann', ...period }), 202).data;
    ok(await client.get('/exports'), 200);
    await waitFor(async () => ok(await client.get(`/exports/${id}`), 200).data.state === 'done');
    ok(await client.get(`/exports/${id}/file`), 200);
    ok(await client.get(`/exports/${id}/file`, { headers: { Range: 'bytes=0-1' } }), 206);
    const refused: [object, number][] = [
      [{ Range: 'bytes=999999-' }, 416],
      [{ 'If-Match': '"another"' }, 412],
    ];
    for (const [headers, status] of refused) {
      ok(await client.get(`/exports/${id}/file`, { headers: headers as Record<string, string> }), status);
    }
  });

  it('of webhook endpoints', async () => {
    const { client } = business;
    const receiver = await startWebhookReceiver();
    try {
      const { id } = ok(await client.post('/webhook-endpoints', { url: receiver.url, types: ['user.*'] })).data;
      const path = `/webhook-endpoints/${id}`;
      ok(await client.get('/webhook-endpoints'), 200);
      ok(await client.get(path), 200);
      ok(await client.patch(path, { description: 'mine' }), 200);
      ok(await client.post(`${path}/rotate-secret`), 200);
      ok(await client.post(`${path}/test`), 200);
      ok(await client.post(`${path}/disable`), 200);
      receiver.receive = receiving(500);
      expect(ok(await client.post(`${path}/enable`), 400).test_error).toBe('status');
      receiver.receive = receiving(204);
      ok(await client.post(`${path}/enable`), 200);
      ok(await client.post(`${path}/replay`, { after: null }), 200);
      ok(await client.get(`${path}/attempts`), 200);
      const { body } = await waitFor(async () => receiver.received.find(({ body }) => body.type === 'user.created'));
      expect(check.faultsOfSchema('WebhookMessage', body)).toEqual([]);
      expect(check.faultsOfSchema('WebhookPing', receiver.received[0]?.body)).toEqual([]);
      ok(await client.delete(path), 200);
    } finally {
      await receiver.close();
    }
  });

  it('of sandboxes', async () => {
    const { id, base64_encoded } = ok(await business.client.post('/account/sandboxes', { name: 'tests' })).data;
    ok(await business.client.get('/account/sandboxes'), 200);
    const sandbox = client.as({ base64: base64_encoded });
    ok(await sandbox.post('/sandbox/clock', { advance_s: 60 }), 202);
    ok(await sandbox.get('/sandbox/clock'), 200);
    ok(await business.client.delete(`/account/sandboxes/${id}`), 200);
  });

  it('of the administration', async () => {
    const admin = await registerAdmin(client, api.database);
    ok(await admin.client.get('/admin/health'), 200);
    const accounts = ok(await admin.client.get(`/admin/accounts?search=${business.account.email}`), 200).data;
    const account_id = accounts[0].id;
    ok(await admin.client.get(`/admin/accounts/${account_id}`), 200);
    ok(await admin.client.patch(`/admin/accounts/${account_id}`, { preferences: { colour: 'red' } }), 200);
    const bet_id = await business.match('ann', 'bob', 5);
    const forced = { account_id, wager_reference: 'match', outcome: 'win', description: 'seen on television' };
    ok(await admin.client.post('/admin/wagers/force-update-outcome', forced), 200);
    ok(await admin.client.post(`/admin/bets/${bet_id}/set-inactive`, { description: 'a mistake' }), 200);
    ok(await admin.client.post(`/admin/bets/${bet_id}/set-active`), 200);
    for (const override_outcome of ['void', null]) {
      const override = { account_id, bet_id, override_outcome };
      ok(await admin.client.post('/admin/bets/force-update-override-outcome', override), 200);
    }
    ok(await business.client.get(`/bets/${bet_id}?include_bet_trails_transactions=true`), 200);
    expect(ok(await business.client.get('/events'), 200).has_more).toBe(false);
    ok(await business.client.get('/events?sort_direction=desc'), 200);
    expect(ok(await business.client.get('/events/matched-totals'), 200).matched_bets).toBe(1);
    ok(await business.client.get('/events/1'), 200);
    ok(await business.client.get('/events/stream'), 200);
    const notStreaming = { headers: { Accept: 'application/json' } };
    ok(await business.client.get('/events/stream', notStreaming), 406);
    ok(await admin.client.post(`/admin/accounts/${account_id}/end-access`), 200);
  });

  it('of the operations of the service', async () => {
    for (const path of ['/healthz', '/readyz', '/metrics', '/docs']) ok(await client.get(path), 200);
    expect(ok(await client.get('/openapi.json'), 200)).toEqual(createDocument());
  });
});

const NOBODYS_ID = 9_007_199_254_740_991;

const asked = operationsOf(document);
const answering = (status: number) =>
  asked.filter(({ operation, name }) => status in operation.responses && name !== 'metrics');
const isKeyed = ({ operation }: DocumentedOperation) => '422' in operation.responses;
const takesBody = ({ operation }: DocumentedOperation) => operation.requestBody !== undefined;
const takesJson = ({ operation }: DocumentedOperation) =>
  operation.requestBody?.content['application/json'] !== undefined;

/** The path with ids and references that do not exist. */
const filled = ({ path }: DocumentedOperation) =>
  path.replace('{reference}', 'nobody').replace(/\{\w+\}/, String(NOBODYS_ID));

/** What the request of an operation needs beside its path, to be one of an unknown thing. */
const queries: Readonly<Record<string, string>> = {
  eventStream: '?user_reference=nobody',
  reconciliationRead: `?date=2026-01-15&account_id=${NOBODYS_ID}`,
  seriesRead: '?wager_reference=nothing',
};

describe('an error is as documented', () => {
  let admin: DocumentedClient;
  let refusedAt: (method: string) => TestClient;

  beforeAll(async () => {
    await openHouse();
    admin = (await registerAdmin(client, api.database)).client as DocumentedClient;
    const { account } = await openTestBusiness(client);
    const key = ok(await account.client.post('/auth/account/api-keys', { name: 'reader', role: 'viewer' })).data;
    const suspended = client.as({ base64: key.base64_encoded });
    const { id } = ok(await suspended.get('/auth/account/me'), 200).data;
    ok(await admin.patch(`/admin/accounts/${id}`, { status: 'suspended' }), 200);
    const withoutFactor = client.as({ token: await tokenWithoutFactor(api.database) });
    refusedAt = (method) => (/GET|DELETE/.test(method) ? withoutFactor : suspended);
  });

  it.each(answering(401).filter(({ operation }) => operation.security.length > 0))('401: $name', async (one) => {
    expect((await client.call(one.method, filled(one))).status).toBe(401);
    const wrong = client.as({ token: `1.${'x'.repeat(43)}` });
    expect((await wrong.call(one.method, filled(one))).status).toBe(401);
  });

  it.each(answering(403))('403: $name', async (one) => {
    expect((await refusedAt(one.method).call(one.method, filled(one))).status).toBe(403);
  });

  // Probes may have any query.
  it.each(answering(400).filter(({ name }) => !['healthz', 'readyz'].includes(name)))('400: $name', async (one) => {
    const body = takesBody(one) ? { body: { colour: 'red' } } : {};
    const headers = isKeyed(one) ? { 'Idempotency-Key': 'é'.repeat(3) } : {};
    const path = one.path.replace(/\{\w+\}/, '%2C');
    const answer = await admin.call(one.method, `${path}?page=0&limit=0&after=0`, { ...body, headers });
    expect(answer.status).toBe(400);
    expect(answer.body.statusCode).toBe(400);
  });

  it.each(answering(404))('404: $name', async (one) => {
    const { example = {} } = one.operation.requestBody?.content['application/json'] ?? {};
    const body = takesBody(one) ? { body: { ...(example as object) } } : {};
    if ('account_id' in (body.body ?? {})) Object.assign(body.body as object, { account_id: NOBODYS_ID });
    if (one.name === 'betCancelAfter') Object.assign(body.body as object, { user_reference: 'nobody' });
    expect((await admin.call(one.method, `${filled(one)}${queries[one.name] ?? ''}`, body)).status).toBe(404);
  });

  it('413 and 415 for JSON lines', async () => {
    const sent = async (body: string, type: string) =>
      (await admin.post(IMPORT_PATH, body, { headers: { 'Content-Type': type } })).status;
    expect(await sent('x'.repeat(4 * 1_024 * 1_024 + 1), 'application/x-ndjson')).toBe(413);
    for (const type of ['application/json', 'application/x-ndjson; charset=latin1']) {
      expect(await sent('{}', type)).toBe(415);
    }
  });

  it.each(asked.filter(takesJson))('413 and 415: $name', async (one) => {
    const sent = async (body: string, type: string) =>
      (await admin.call(one.method, filled(one), { body, headers: { 'Content-Type': type } })).status;
    expect(await sent(JSON.stringify({ text: 'x'.repeat(300_000) }), 'application/json')).toBe(413);
    expect(await sent('text', 'text/plain')).toBe(415);
    expect(await sent('{}', 'application/json; charset=latin1')).toBe(415);
  });

  it('409 for what is taken, 422 for a key that was used otherwise', async () => {
    const { name, email, password } = business.account;
    expect((await client.post('/auth/register/account', { name, email, password })).status).toBe(409);
    expect((await business.client.post('/account/user', { name: 'Ann', reference: 'ann' })).status).toBe(409);
    const keyed = business.client.with({ 'Idempotency-Key': 'once' });
    const fund = { user_reference: 'ann', amount: 1 };
    ok(await keyed.post('/transactions/fund-user', fund));
    const replayed = await keyed.post('/transactions/fund-user', fund);
    expect([replayed.status, replayed.headers.get('idempotent-replayed')]).toEqual([201, 'true']);
    expect((await keyed.post('/transactions/withdraw', fund)).status).toBe(422);
  });

  it('429 beyond a limit', async () => {
    const limits = { RATE_LIMITS: 'account=2/h,address=2/h', REDIS_PREFIX: `${api.environment.redisPrefix}-limited` };
    const limited = await startTestApi(api.environment, limits);
    try {
      const caller = new DocumentedClient(limited.client.baseUrl, check, { token: business.account.token });
      const anonymous = caller.as(undefined);
      const statuses: number[] = [];
      for (const path of ['/auth/account/me', '/wagers', '/wagers']) statuses.push((await caller.get(path)).status);
      for (const path of ['/docs', '/openapi.json', '/docs']) statuses.push((await anonymous.get(path)).status);
      expect(statuses).toEqual([200, 200, 429, 200, 200, 429]);
    } finally {
      await limited.close();
    }
  });
});

describe('at the end of the walk', () => {
  it.each(asked)('$name was seen to succeed', ({ name, operation }) => {
    const [success] = Object.keys(operation.responses).map(Number);
    expect([...(check.seen.get(name) ?? [])]).toContain(success);
  });
});
