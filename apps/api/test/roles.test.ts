import { beforeAll, describe, expect, it } from '@jest/globals';
import { type CallerRole, callerRoles, includesRole, type KeyRole, keyRoles } from '#accounts/access/caller-role.js';
import type { Answer, TestClient } from '#testing/client.js';
import { createAnswerCheck, DocumentedClient } from '#testing/documented-client.js';
import { createPerson } from '#testing/people.js';
import { createQuickAccount, type QuickAccount } from '#testing/quick-accounts.js';
import { fixedValueOf, formsOf } from '#testing/request-forms.js';
import { acceptance, createUser, offer, ok } from '#testing/test-business.js';
import { waitFor } from '#testing/wait-for.js';
import { withTestApi } from '#testing/with-test-api.js';
import type { Endpoint } from '../endpoint.js';
import { namedEndpoints } from '../endpoints.js';
import { createDocument } from '../openapi/document.js';
import { type EndpointName, leastRoleOf } from '../roles.js';

const api = withTestApi({ settings: { RATE_LIMITS: 'off' } });
const REFUSAL = 'Your role does not allow this';
const FORBIDDEN = { status: 403, error: REFUSAL };
/** Nothing has this id. */
const NOTHING = '999999999';

const endpoints = Object.entries<Endpoint>(namedEndpoints) as [EndpointName, Endpoint][];

/** A second statement of the least roles: of each route that changes something. A route that is not here needs an owner. */
const CHANGES: readonly (readonly [CallerRole, RegExp])[] = [
  ['viewer', /^post \/(auth\/(logout\/account|account\/(reset-password|confirm))|previews|exports)$/],
  ['viewer', /^(post|delete) \/auth\/account\/second-factor(\/confirm)?$/],
  ['trader', /^post \/change-requests(\/:id\/withdraw)?$/],
  ['approver', /^post \/change-requests\/:id\/(approve|reject)$/],
  ['viewer', /^delete \/auth\/account\/sessions\/:id$/],
  ['settler', /^post \/(bets\/(update-wager|override)-outcome|wagers\/:reference\/(close|correct))$/],
  ['trader', /^post \/bets\/((make|accept|cancel)-offer|cancel-after|batch)$/],
  ['trader', /^post \/transactions\/(fund-user|withdraw)$/],
  ['trader', /^(post|patch) \/account\/(user|users\/import|user\/:userId|user\/:reference\/reference)$/],
  ['trader', /^(put \/wagers\/:reference|post \/wagers\/:reference\/(suspend|resume))$/],
];

function expectedRole({ method, path, access }: Endpoint): CallerRole | undefined {
  if (access === 'public') return undefined;
  if (method === 'get') return 'viewer';
  return CHANGES.find(([, pattern]) => pattern.test(`${method} ${path}`))?.[0] ?? 'owner';
}

let documented: TestClient;
let admin: QuickAccount;

beforeAll(async () => {
  documented = new DocumentedClient(api.client.baseUrl, createAnswerCheck(createDocument({ answers: 'closed' })));
  admin = await createQuickAccount(api.database, { role: 'admin' });
});

/** A client with a new key of this role. */
async function withKey({ token }: QuickAccount, role: KeyRole): Promise<TestClient> {
  const made = await api.client.as({ token }).post('/auth/account/api-keys', { name: `a ${role}`, role });
  return documented.as({ base64: ok(made).data.base64_encoded });
}

/** Without what a request needs: it never succeeds where that would change anything that the next one needs. */
const callEmpty = (client: TestClient, { method, path, body, stream }: Endpoint): Promise<Answer> =>
  client.call(method.toUpperCase(), path.replaceAll(/:\w+/g, NOTHING), {
    ...(body && { body: {} }),
    ...(stream && { headers: { Accept: 'application/json' } }),
  });

const isRefused = ({ headers }: Answer): boolean => headers.get('ledger-error') === 'role-forbids';

describe('every endpoint', () => {
  it('has the least role of the design', () => {
    const roles = endpoints.map(([name]) => [name, leastRoleOf(name)]);
    expect(roles).toEqual(endpoints.map(([name, endpoint]) => [name, expectedRole(endpoint)]));
  });

  it.each(keyRoles)('lets a key with the role %s do what the role may, and nothing else', async (role) => {
    const client = await withKey(admin, role);
    const seen = new Map<string, boolean>();
    const right = new Map<string, boolean>();
    for (const [name, endpoint] of endpoints) {
      const answer = await callEmpty(client, endpoint);
      const least = expectedRole(endpoint);
      seen.set(name, isRefused(answer));
      right.set(name, least !== undefined && !includesRole(role, least));
      if (isRefused(answer)) expect(answer).toMatchObject({ status: 403, body: FORBIDDEN });
      else expect(answer.body).not.toEqual(FORBIDDEN);
    }
    expect(Object.fromEntries(seen)).toEqual(Object.fromEntries(right));
    expect([...seen.values()].includes(true)).toBe(role !== 'owner');
  });

  it.each(callerRoles)(
    'lets a session of a person with the role %s do what the role may, and nothing else',
    async (role) => {
      const seen = new Map<string, boolean>();
      const right = new Map<string, boolean>();
      for (const [name, endpoint] of endpoints) {
        // Of each its own: some routes end it.
        const { token } = await createPerson(api.database, admin.id, role);
        const answer = await callEmpty(documented.as({ token }), endpoint);
        const least = expectedRole(endpoint);
        seen.set(name, isRefused(answer));
        right.set(name, least !== undefined && !includesRole(role, least));
        if (!isRefused(answer)) expect([name, answer.body]).not.toEqual([name, FORBIDDEN]);
      }
      expect(Object.fromEntries(seen)).toEqual(Object.fromEntries(right));
    },
  );

  it.each(['invited', 'suspended', 'deleted'])('takes nothing of a person who is %s', async (state) => {
    const { id, token } = await createPerson(api.database, admin.id, 'owner');
    const person = documented.as({ token });
    const key = ok(await person.post('/auth/account/api-keys', { name: `of one ${state}` })).data;
    await api.database.query('UPDATE operators SET state = $2 WHERE id = $1', [id, state]);
    await waitFor(async () => (await person.get('/auth/account/me')).status === 401);
    for (const client of [person, documented.as({ base64: key.base64_encoded })]) {
      for (const [name, endpoint] of endpoints.filter(([, { access }]) => access !== 'public')) {
        expect([name, (await callEmpty(client, endpoint)).status]).toEqual([name, 401]);
      }
    }
  });
});

const wager = { wager_reference: 'match' };
const operations: Readonly<Record<string, readonly [least: CallerRole, data: object]>> = {
  make_bet_offer: ['trader', offer('ann', 10)],
  accept_bet_offer: ['trader', acceptance('ann', 10)],
  cancel_bet_offer: ['trader', { requesting_user_reference: 'ann', wager_references: ['match'], cancel_all: true }],
  suspend_wager: ['trader', wager],
  resume_wager: ['trader', wager],
  update_wager_outcome: ['settler', { reference: 'match', outcome: 'win' }],
  override_bet_outcome: ['settler', { bet_id: 1, override_outcome: 'win' }],
  close_wager: ['settler', wager],
};

/** The operation comes after one that a trader may do. */
const batchWith = (type: string) => ({
  operations: [
    { operation_type: 'make_bet_offer', operation_id: 'first', data: offer('ann', 10, 3) },
    { operation_type: type, operation_id: 'the second', data: operations[type]?.[1] },
  ],
});

describe('a batch', () => {
  const clients = new Map<KeyRole, TestClient>();
  let owner: TestClient;

  beforeAll(async () => {
    const business = await createQuickAccount(api.database);
    for (const role of keyRoles) clients.set(role, await withKey(business, role));
    owner = clients.get('owner') as TestClient;
    await createUser(owner, { name: 'Ann', reference: 'ann' });
    ok(await owner.post('/transactions/fund-user', { user_reference: 'ann', amount: 1_000_000 }));
  });

  const betsOfAnn = async (): Promise<number> => ok(await owner.get('/bets/open-bets'), 200).total;

  it('has no kind of operation that is not tried here', () => {
    const fields = formsOf(namedEndpoints.betBatch).flatMap((form) => form.fields);
    const types = fields.filter(({ name }) => name === 'operation_type').map(fixedValueOf);
    expect([...new Set(types)].sort()).toEqual(Object.keys(operations).sort());
  });

  it.each(Object.entries(operations))('with %s needs the role of its endpoint', async (type, [least]) => {
    for (const [role, client] of clients) {
      const before = await betsOfAnn();
      const answer = await client.post('/bets/batch', batchWith(type));
      if (includesRole(role, least)) {
        expect([role, isRefused(answer)]).toEqual([role, false]);
        continue;
      }
      const mayBatch = includesRole(role, 'trader');
      const error = mayBatch ? `operation 'the second': ${REFUSAL}` : REFUSAL;
      expect(answer).toMatchObject({ status: 403, body: { status: 403, error } });
      expect(isRefused(answer)).toBe(true);
      expect(answer.headers.get('ledger-error-operation')).toBe(mayBatch ? 'the%20second' : null);
      expect(await betsOfAnn()).toBe(before);
    }
  });

  it('above the role does not use its Idempotency-Key, and gets no answer that the key has', async () => {
    const options = { headers: { 'Idempotency-Key': 'one batch' } };
    const [trader, settler] = [clients.get('trader') as TestClient, clients.get('settler') as TestClient];
    const body = { operations: batchWith('close_wager').operations.slice(1) };
    const send = (client: TestClient) => client.post('/bets/batch', body, options);
    expect(isRefused(await send(trader))).toBe(true);
    const first = await send(settler);
    expect([first.headers.get('idempotent-replayed'), isRefused(first)]).toEqual([null, false]);
    expect(await send(settler)).toMatchObject({ status: first.status, body: first.body });
    expect(isRefused(await send(trader))).toBe(true);
  });
});

describe('a call above the role', () => {
  const path = '/account/user';

  it('is refused before its body and its Idempotency-Key are looked at', async () => {
    const business = await createQuickAccount(api.database);
    const viewer = await withKey(business, 'viewer');
    const key = { 'Idempotency-Key': 'one user' };
    const body = { name: 'Bob', reference: 'bob' };
    ok(await api.client.as({ token: business.token }).post(path, body, { headers: key }));
    const calls = [
      viewer.post(path, body, { headers: key }),
      viewer.post(path, body, { headers: { 'Idempotency-Key': 'x'.repeat(300) } }),
      viewer.post(`${path}?unknown=1`, '{"a":'),
      viewer.post(path, 'a=1', { headers: { 'Content-Type': 'text/plain' } }),
      viewer.post(path, { name: 'x'.repeat(300_000) }),
    ];
    for (const answer of await Promise.all(calls)) expect([answer.status, answer.body]).toEqual([403, FORBIDDEN]);
  });

  it('comes after a suspension', async () => {
    const business = await createQuickAccount(api.database);
    const viewer = await withKey(business, 'viewer');
    await api.database.query(`UPDATE accounts SET status = 'suspended' WHERE id = $1`, [business.id]);
    const answer = await viewer.post(path, {});
    expect([answer.status, answer.headers.get('ledger-error')]).toEqual([403, 'account-suspended']);
    ok(await viewer.get(path), 200);
  });

  it('knows a role that the database changes', async () => {
    const business = await createQuickAccount(api.database);
    const client = await withKey(business, 'owner');
    expect((await client.post(path, {})).status).toBe(400);
    await api.database.query(`UPDATE api_keys SET role = 'viewer' WHERE account_id = $1`, [business.id]);
    await waitFor(async () => isRefused(await client.post(path, {})) || undefined);
  });
});
