import { beforeAll, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import * as fields from '#http/fields.js';
import type { TestClient } from '#testing/client.js';
import { type Kind, kindOf, nameTheSame, unknownNames } from '#testing/named-resources.js';
import { createQuickAccount } from '#testing/quick-accounts.js';
import { buildRequest, type Field, fixedValueOf, formsOf, type RequestForm, titleOf } from '#testing/request-forms.js';
import { createDigester } from '#testing/table-digests.js';
import { acceptance, offer, ok } from '#testing/test-business.js';
import { withTestApi } from '#testing/with-test-api.js';
import { endpoint } from '../endpoint.js';
import { endpoints } from '../endpoints.js';

// Tries every field that names something, on every route, with names from another account: the answer must equal the
// answer for a name that does not exist.

type Name = number | string;
type Names = Readonly<Record<Kind, readonly Name[]>>;

/** Ids of the victim begin with 7, all others with 5, so that the test recognises them in any answer. */
const VICTIMS_IDS = 700_000_000;
const OTHERS_IDS = 500_000_000;
const VICTIMS_DATA = /\b7\d{8}\b|victim/i;

/** Nothing listens at the address of the endpoints. */
const api = withTestApi({ settings: { ALLOW_PRIVATE_WEBHOOKS: 'true' } });
const hook = { url: 'http://127.0.0.1:9/', types: ['wager.*'] };
let victim: { readonly id: number; readonly client: TestClient; readonly names: Names };
let admin: TestClient;
/** One whose own names still are what they were; it may have more wagers and offers. */
let reusable: Stranger | undefined;

beforeAll(async () => {
  await countIdsFrom(VICTIMS_IDS);
  victim = await createVictim();
  await countIdsFrom(OTHERS_IDS);
  admin = await openAccount('admin');
});

const countIdsFrom = (id: number) =>
  api.database.query(
    `SELECT setval(format('%I', sequencename)::regclass, $1) FROM pg_sequences WHERE schemaname = 'public'`,
    [id],
  );

async function openAccount(role?: string): Promise<TestClient> {
  const account = await createQuickAccount(api.database, { ...(role && { role }) });
  return api.client.as({ token: account.token });
}

const paymentOf = (user: string) => `${user}-payment`;

async function createUsers(client: TestClient, ...references: string[]): Promise<number[]> {
  const ids: number[] = [];
  for (const reference of references) {
    ids.push(ok(await client.post('/account/user', { name: reference, reference, meta: { of: reference } })).data.id);
    const payment = { user_reference: reference, amount: 100_000, reference: paymentOf(reference) };
    ok(await client.post('/transactions/fund-user', payment));
  }
  return ids;
}

async function previewIn(client: TestClient, reference: string): Promise<number> {
  const operation = { type: 'update_wager_outcome', reference, outcome: 'win' };
  return ok(await client.post('/previews', { operation }), 200).data.id;
}

/** Of a wager that has an offer. */
async function requestIn(client: TestClient, reference: string): Promise<number> {
  const operation = { type: 'update_wager_outcome', reference, outcome: 'win' };
  return ok(await client.post('/change-requests', { operation, reason: plainValues.reason })).data.id;
}

const sandboxOf = async (client: TestClient): Promise<number> =>
  ok(await client.post('/account/sandboxes', { name: 'tests' })).data.id;

/** An account with an open offer, a bet and a settled bet, all with trails and transactions. */
async function createVictim() {
  const { id, token } = await createQuickAccount(api.database, { email: 'victim-ann@example.com' });
  const client = api.client.as({ token });
  const users = ['victim-ann', 'victim-bob'];
  const userIds = await createUsers(client, ...users);
  const make = async (wager_reference: string) =>
    ok(await client.post('/bets/make-offer', offer('victim-ann', 10, 2, { wager_reference }))).data.bet_id;
  const accept = async (bet_id: number) =>
    ok(await client.post('/bets/accept-offer', acceptance('victim-bob', 10, { bet_id })));
  const [open, accepted, settled] = [await make('victim-open'), await make('victim-open'), await make('victim-over')];
  await accept(accepted);
  await accept(settled);
  ok(await client.post('/bets/update-wager-outcome', { reference: 'victim-over', outcome: 'win' }));
  const { data } = ok(await client.get('/transactions'), 200);
  const [first, last] = [data[0], data.at(-1)];
  const key = ok(await client.post('/auth/account/api-keys', { name: 'victim-key' })).data;
  const [session] = ok(await client.get('/auth/account/sessions'), 200).data;
  const invited = ok(
    await client.post('/operators', { email: 'victim-bob@example.com', name: 'victim', role: 'viewer' }),
  );
  const period = { from: '2026-01-01', to: '2026-02-01' };
  const file = ok(await client.post('/exports', { kind: 'bets', ...period }), 202).data;
  const preview = await previewIn(client, 'victim-open');
  const changeRequest = await requestIn(client, 'victim-open');
  const webhook = ok(await client.post('/webhook-endpoints', hook)).data;
  const sandbox = await sandboxOf(client);
  const names: Names = {
    account: [id],
    user: userIds,
    userReference: users,
    wagerReference: ['victim-open', 'victim-over'],
    bet: [open, accepted, settled],
    transaction: [first.id, last.id],
    transactionReference: [first.reference, last.reference],
    ownReference: users.map(paymentOf),
    apiKey: [key.id],
    session: [session.id],
    operator: [session.operator.id, invited.data.id],
    export: [file.id],
    preview: [preview],
    changeRequest: [changeRequest],
    sandbox: [sandbox],
    webhookEndpoint: [webhook.id],
  };
  return { id, client, names };
}

let invented = 0;
/** Names that do not exist, and never did. */
function missingName(kind: Kind): Name {
  invented += 1;
  return /Reference$/.test(kind) ? `nobody-${invented}` : 999_000_000 + invented;
}

const plainValues: Readonly<Record<string, unknown>> = {
  seq: 1,
  url: hook.url,
  types: 'wager.*',
  after: null,
  kind: 'bets',
  from: '2026-01-01',
  to: '2026-02-01',
  amount: 1,
  requesting_odds: 2,
  requesting_amount: 1,
  maximum_odds: 10,
  accepting_amount: 1,
  cancel_all: true,
  outcome: 'loss',
  override_outcome: 'push',
  operation_id: 'x1',
  name: 'Ann',
  event: 'final',
  date: '2026-01-15',
  timeout_s: 10,
  reason: 'A reason that is long enough',
  revision: 0,
  kinds: ['withdraw_user'],
  above: 1,
  expires_in: 60,
  email: 'own-ann@example.com',
  role: 'viewer',
};

type OwnName = (kind: Kind, field: Field) => Promise<Name>;

interface Stranger {
  readonly client: TestClient;
  /** For one request: the names of two users, and of a new wager with an open offer of the first user. */
  ownNames(): OwnName;
}

async function createStranger(): Promise<Stranger> {
  const client = await openAccount();
  const references = ['own-ann', 'own-bob'];
  const ids = await createUsers(client, ...references);
  const { data } = ok(await client.get('/auth/account/me'), 200);
  const transaction = ok(await client.get('/transactions'), 200).data[0];
  const key = ok(await client.post('/auth/account/api-keys', { name: 'own-key' })).data;
  const [session] = ok(await client.get('/auth/account/sessions'), 200).data;
  const file = ok(await client.post('/exports', { kind: 'bets', from: '2026-01-01', to: '2026-02-01' }), 202).data;
  const preview = await previewIn(client, 'own-wager');
  ok(await client.post('/bets/make-offer', offer('own-ann', 5, 2, { wager_reference: 'own-request' })));
  const changeRequest = await requestIn(client, 'own-request');
  const webhook = ok(await client.post('/webhook-endpoints', hook)).data;
  const sandbox = await sandboxOf(client);
  const makeOffer = async () => {
    invented += 1;
    const body = offer('own-ann', 5, 2, { wager_reference: `own-${invented}` });
    return ok(await client.post('/bets/make-offer', body)).data;
  };
  const ownNames = (): OwnName => {
    let made: Promise<{ readonly bet_id: number; readonly wager_reference: string }> | undefined;
    return async (kind, { name }) => {
      if (kind === 'wagerReference' || kind === 'bet') {
        made ??= makeOffer();
        return kind === 'bet' ? (await made).bet_id : (await made).wager_reference;
      }
      const who = /^(accepting|allowed)/.test(name) ? 1 : 0;
      const names = {
        account: data.id,
        user: ids[who],
        userReference: references[who],
        transaction: transaction.id,
        transactionReference: transaction.reference,
        ownReference: paymentOf(references[who] as string),
        apiKey: key.id,
        session: session.id,
        operator: session.operator.id,
        export: file.id,
        preview,
        changeRequest,
        sandbox,
        webhookEndpoint: webhook.id,
      };
      return names[kind];
    };
  };
  return { client, ownNames };
}

interface Attempt {
  readonly form: RequestForm;
  /** The fields whose names do not belong to the stranger. */
  readonly replaced: readonly Field[];
  /** Fields that the request does not have. */
  readonly without: readonly Field[];
}

function plainValue(form: RequestForm, field: Field): unknown {
  const fixed = fixedValueOf(field);
  if (fixed !== undefined || (field.place !== 'body' && !field.isRequired)) return fixed;
  if (field.isRequired && !Object.hasOwn(plainValues, field.name)) {
    throw new Error(`${titleOf(form)} needs ${field.path.join('.')}: give it a value in plainValues`);
  }
  return plainValues[field.name];
}

/** A request with names of the stranger, except for the given ones. */
async function requestWith({ form, without }: Attempt, given: ReadonlyMap<Field, Name>, stranger: Stranger) {
  const values = new Map<Field, unknown>();
  const ownName = stranger.ownNames();
  for (const field of form.fields.filter((other) => !without.includes(other))) {
    const kind = kindOf(form, field);
    const own = kind === undefined ? plainValue(form, field) : undefined;
    if (given.has(field)) values.set(field, given.get(field));
    else if (kind !== undefined) values.set(field, await ownName(kind, field));
    else if (own !== undefined) values.set(field, own);
  }
  return buildRequest(form, values);
}

const namesIn = (form: RequestForm) => form.fields.filter((field) => kindOf(form, field) !== undefined);

/** Each name with all others that the route takes; without those that name the same; alone; and all at once. */
function attemptsOf(form: RequestForm): Attempt[] {
  const names = namesIn(form);
  const single = names.flatMap((field) => {
    const others = names.filter((other) => other !== field && !other.isRequired);
    const ways = [[], others.filter((other) => nameTheSame(field, other)), others];
    const different = ways.filter((way, index) => ways.findIndex(({ length }) => length === way.length) === index);
    return different.map((without) => ({ form, replaced: [field], without }));
  });
  return names.length === 1 ? single : [...single, { form, replaced: names, without: [] }];
}

const BOOKMARKS = /(id: <cursor>\\nevent: bookmark\\ndata: \{\\"cursor\\":\\"<cursor>\\"\}\\n\\n)\1+/g;

/** Removes what differs from call to call: the names that were sent, and those of the stranger. */
const comparable = (text: string, sent: Iterable<Name>) =>
  [...sent]
    .reduce<string>((left, name) => left.replaceAll(String(name), '<sent>'), text)
    .replaceAll(/\b5\d{8}\b|\b\d{14,16}\b|\bown-\w+|\bTX_[\w-]+/g, '<own>')
    .replaceAll(/"\d{4}-\d\d-\d\dT[^"]+"/g, '<time>')
    // The preparation of each request is in the event log.
    .replaceAll(/\bAQAAA[\w-]{26}/g, '<cursor>')
    .replaceAll(/_seq":\d+/g, '_seq":<n>')
    // How many bookmarks a stream sends before the test hangs up depends on the moment.
    .replaceAll(BOOKMARKS, '$1');

type NameOf = (kind: Kind) => Name;

async function ask(client: TestClient, attempt: Attempt, nameOf: NameOf, stranger: Stranger) {
  const given = new Map(attempt.replaced.map((field) => [field, nameOf(kindOf(attempt.form, field) as Kind)]));
  const { method, path, body } = await requestWith(attempt, given, stranger);
  const answer = await client.call(method, path, { body });
  return { status: answer.status, text: comparable(JSON.stringify(answer.body), given.values()) };
}

const naming: [string, RequestForm][] = endpoints
  .flatMap(formsOf)
  .filter((form) => namesIn(form).length > 0)
  .map((form) => [titleOf(form), form]);

describe('another account’s names', () => {
  it.each(naming)('are as good as missing: %s', async (_title, form) => {
    const stranger = reusable ?? (await createStranger());
    reusable = undefined;
    let isChanged = false;
    const digestOfVictim = await createDigester(api.database, { accountId: victim.id });
    const before = await digestOfVictim();
    for (const attempt of attemptsOf(form)) {
      const most = Math.max(...attempt.replaced.map((field) => victim.names[kindOf(form, field) as Kind].length));
      for (let index = 0; index < most; index += 1) {
        const nameOf = (kind: Kind) => victim.names[kind][index % victim.names[kind].length] as Name;
        const theirs = await ask(stranger.client, attempt, nameOf, stranger);
        const missing = await ask(stranger.client, attempt, missingName, stranger);
        const where = [attempt.replaced, attempt.without].map((some) => some.map(({ path }) => path.join('.')));
        expect([...where, theirs]).toEqual([...where, missing]);
        expect(theirs.text).not.toMatch(VICTIMS_DATA);
        expect(theirs.status).toBeLessThan(500);
        isChanged ||= form.endpoint.method !== 'get' && theirs.status < 300;
      }
    }
    expect(await digestOfVictim()).toEqual(before);
    if (!isChanged) reusable = stranger;
  });

  // The first frame of a stream of events says nothing of what its filters name.
  const reads = naming.filter(([, { endpoint }]) => endpoint.method === 'get' && !endpoint.stream?.resumes);

  it.each(reads)('are the names of something, for who may read it: %s', async (_title, form) => {
    const client = form.endpoint.access === 'admin' ? admin : victim.client;
    const reader: Stranger = { client, ownNames: () => async () => '' };
    for (const field of namesIn(form)) {
      const without = form.fields.filter((other) => other !== field && kindOf(form, other) !== undefined);
      if (without.some(({ isRequired }) => isRequired)) continue;
      const attempt = { form, replaced: [field], without };
      const missing = await ask(client, attempt, missingName, reader);
      const found: unknown[] = [];
      for (const name of victim.names[kindOf(form, field) as Kind]) {
        const known = await ask(client, attempt, () => name, reader);
        if (known.status !== missing.status || known.text !== missing.text) found.push(name);
      }
      expect([field.name, ...found]).not.toEqual([field.name]);
    }
  });
});

describe('the routes', () => {
  it('take no name of which it is not known here what it names', () => {
    expect(
      endpoints.flatMap(formsOf).flatMap((form) => unknownNames(form).map((name) => `${titleOf(form)}, ${name}`)),
    ).toEqual([]);
    expect(naming.length).toBeGreaterThan(30);
  });

  it('would not get a new one past this test', () => {
    const made = endpoint({
      method: 'post',
      path: '/made/up/:thingId',
      tag: 'Users',
      summary: '',
      access: 'account',
      params: z.object({ thingId: fields.idText }),
      query: z.object({ whose: fields.commaList(fields.idText).optional(), page: fields.page }),
      body: z.strictObject({
        user_id: fields.idNumber,
        parts: z.array(
          z.strictObject({ bettor: fields.idNumber.nullish(), league_reference: z.string(), amount: fields.amount() }),
        ),
        winners: z.array(fields.reference.meta({ description: 'a copy' })).optional(),
      }),
      answer: z.object({}),
      handle: async () => ({}),
    });
    expect(formsOf(made).flatMap(unknownNames)).toEqual([
      'path: thingId',
      'query: whose',
      'body: parts.0.bettor',
      'body: parts.0.league_reference',
      'body: winners',
    ]);
  });
});
