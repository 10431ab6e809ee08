import { beforeAll, describe, expect, it } from '@jest/globals';
import { type Answer, logIn, register, type TestClient } from '#testing/client.js';
import { operationsOf } from '#testing/documented-routes.js';
import { insertBets, insertTransactions } from '#testing/list-rows.js';
import { type Admin, ok, registerAdmin } from '#testing/test-business.js';
import { withTestApi } from '#testing/with-test-api.js';
import { createDocument } from './document.js';
import { type JsonSchema, resolved } from './json-schema.js';
import type { ApiOperation, Parameter } from './types.js';

// Tries the documented limits of each field at the API: it refuses a value just outside, naming the field, and takes a
// value just inside.

const document = createDocument();
const SMALLEST = 0.000001;

const api = withTestApi({ settings: { RATE_LIMITS: 'off' } });
let admin: Admin;
let client: TestClient;

beforeAll(async () => {
  admin = await registerAdmin(api.client, api.database);
  client = admin.client;
});

interface Tried {
  readonly value: unknown;
  readonly isInside: boolean;
}

const inside = (...values: readonly unknown[]) => values.map((value): Tried => ({ value, isInside: true }));
const outside = (...values: readonly unknown[]) => values.map((value): Tried => ({ value, isInside: false }));

function numbersAround({ type, minimum, maximum }: JsonSchema): Tried[] {
  const step = [type].flat().includes('integer') ? 1 : SMALLEST;
  return [
    ...(minimum === undefined ? [] : [...inside(minimum), ...outside(Number((minimum - step).toFixed(6)))]),
    ...(maximum === undefined ? [] : [...inside(maximum), ...outside(maximum + 1)]),
    ...outside(step === 1 ? 1.5 : 1.0000001, 'seven'),
  ];
}

function textsAround({ format, minLength, maxLength, pattern }: JsonSchema): Tried[] {
  const unfit = ['a\u0007b', 'a,b', ' '].filter(
    (text) => pattern !== undefined && !new RegExp(pattern, 'u').test(text),
  );
  return [
    ...(maxLength === undefined ? [] : outside('x'.repeat(maxLength + 1))),
    // A text of the right length need not be an address.
    ...(maxLength === undefined || format === 'email' || format === 'uri' ? [] : inside('x'.repeat(maxLength))),
    ...(minLength === undefined || minLength === 1
      ? []
      : [...inside('x'.repeat(minLength)), ...outside('x'.repeat(minLength - 1))]),
    ...outside(...unfit),
    ...(format === 'email' ? outside('nobody') : []),
  ];
}

function itemOf(items: JsonSchema, index: number): unknown {
  if (items.examples?.[0] !== undefined) return items.examples[0];
  return [items.type].flat().includes('integer') ? index + 1 : `r${index}`;
}

function listsAround({ items = {}, maxItems }: JsonSchema): Tried[] {
  const item = resolved(items as JsonSchema, document.components.schemas);
  if (item.enum !== undefined) return [...inside(item.enum), ...outside(['no such value'])];
  // The operations of a batch have tests of their own endpoints.
  if (maxItems === undefined || item.oneOf !== undefined) return [];
  const list = (length: number) => Array.from({ length }, (_, index) => itemOf(item, index));
  return [...inside(list(maxItems), list(1)), ...outside(list(maxItems + 1))];
}

/** Values just inside and just outside the limits. */
function valuesAround(given: JsonSchema): Tried[] {
  const schema = resolved(given.anyOf?.[0] ?? given, document.components.schemas);
  const types = [schema.type].flat();
  if (schema.enum !== undefined) {
    const values = schema.enum.filter((value) => value !== null);
    return [...inside(...values), ...outside('no such value')];
  }
  if (types.includes('number') && types.includes('string')) {
    return [...inside('2026-01-15', '2026-01-15T18:30:00Z', 1_768_501_800_000), ...outside('yesterday', '2026-02-30')];
  }
  if (types.includes('integer') || types.includes('number')) return numbersAround(schema);
  if (types.includes('boolean')) return [...inside(true, false), ...outside('yes')];
  if (types.includes('array')) return listsAround(schema);
  if (types.includes('object')) return outside('text', 7);
  return textsAround(schema);
}

interface Case extends Tried {
  readonly field: string;
  readonly path: string;
  readonly body?: Readonly<Record<string, unknown>>;
}

const shown = (value: unknown) => JSON.stringify(value).slice(0, 40);

const inPath = ({ parameters = [] }: ApiOperation) =>
  (parameters as Parameter[]).filter((parameter) => parameter.in === 'path');
const inQuery = ({ parameters = [] }: ApiOperation) =>
  (parameters as Parameter[]).filter((parameter) => parameter.in === 'query' && parameter.schema.type !== 'object');

const filled = (path: string, operation: ApiOperation, over: Readonly<Record<string, unknown>> = {}) =>
  inPath(operation).reduce(
    (text, { name, example }) => text.replace(`{${name}}`, encodeURIComponent(String(over[name] ?? example))),
    path,
  );

function casesOf(path: string, operation: ApiOperation): Case[] {
  const media = operation.requestBody?.content['application/json'];
  const schema = resolved(media?.schema ?? {}, document.components.schemas);
  const example = (media?.example ?? {}) as Record<string, unknown>;
  const body = media === undefined ? {} : { body: example };
  const fields = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>);
  const ready = filled(path, operation);
  const withQuery = (name: string, value: unknown) => `${ready}?${name}=${encodeURIComponent(String(value))}`;
  return [
    ...inPath(operation).flatMap(({ name, schema: one }) =>
      valuesAround(one).map((tried) => ({
        ...tried,
        ...body,
        field: name,
        path: filled(path, operation, { [name]: tried.value }),
      })),
    ),
    ...inQuery(operation).flatMap(({ name, schema: one }) =>
      valuesAround(one).map((tried) => ({ ...tried, ...body, field: name, path: withQuery(name, tried.value) })),
    ),
    ...fields.flatMap(([field, one]) => {
      const isNullable = [one.type, one.anyOf?.[1]?.type].flat().includes('null');
      const tries = [
        ...valuesAround(one),
        { value: null, isInside: isNullable },
        { value: {}, isInside: takesObject(one) },
      ];
      return tries.map((tried) => ({ ...tried, field, path: ready, body: { ...example, [field]: tried.value } }));
    }),
    ...(schema.required ?? []).map((field) => {
      const { [field]: _, ...rest } = example;
      return { value: undefined, isInside: false, field, path: ready, body: rest };
    }),
    ...(schema.additionalProperties === false
      ? [{ value: 'red', isInside: false, field: 'property colour', path: ready, body: { ...example, colour: 'red' } }]
      : []),
  ];
}

/** An empty one. */
function takesObject(schema: JsonSchema): boolean {
  const { type, required = [] } = resolved(schema.anyOf?.[0] ?? schema, document.components.schemas);
  return [type].flat().includes('object') && required.length === 0;
}

const faultsIn = ({ body }: Answer): readonly string[] => (Array.isArray(body?.message) ? body.message : []);

/** The test logs out, too, which ends its token. */
async function ask(method: string, { path, body }: Case): Promise<Answer> {
  const options = body === undefined ? {} : { body };
  const answer = await client.call(method, path, options);
  if (answer.status !== 401) return answer;
  client = api.client.as({ token: await logIn(api.client, admin) });
  return client.call(method, path, options);
}

const operations = operationsOf(document).filter(({ path, operation }) => casesOf(path, operation).length > 0);

describe('a documented limit is the real one', () => {
  it.each(operations)('$name', async ({ method, path, operation }) => {
    const wrong: string[] = [];
    for (const one of casesOf(path, operation)) {
      const answer = await ask(method, one);
      const named = faultsIn(answer).some((fault) => fault.startsWith(one.field));
      if (named === one.isInside)
        wrong.push(`${one.field} = ${shown(one.value)}: ${answer.status} ${faultsIn(answer)}`);
      expect(answer.status).toBeLessThan(500);
    }
    expect(wrong).toEqual([]);
  });
});

interface Default {
  readonly name: string;
  readonly path: string;
  readonly parameter: string;
  readonly usual: unknown;
  readonly other: unknown;
}

/** A value other than the default, which must change the answer. */
function otherThan({ enum: values, minimum }: JsonSchema, usual: unknown): unknown {
  if (typeof usual === 'boolean') return !usual;
  if (typeof usual === 'number') return usual === minimum ? usual + 1 : usual - 1;
  return values?.find((value) => value !== usual);
}

const defaults = operations
  .filter(({ method, path }) => method === 'GET' && !path.endsWith('/stream'))
  .flatMap(({ name, path, operation }) =>
    inQuery(operation)
      .filter(({ schema }) => schema.default !== undefined)
      .map(({ name: parameter, schema }): Default => {
        const usual = schema.default;
        return { name, path, parameter, usual, other: otherThan(schema, usual) };
      }),
  );

describe('a documented default is the real one', () => {
  let ids: { readonly userId: number; readonly reference: string; readonly id: number; readonly endpointId: number };

  beforeAll(async () => {
    client = api.client.as({ token: await logIn(api.client, admin) });
    await insertBets(api.database, admin.id, 30);
    await insertTransactions(api.database, admin.id, 30);
    await register(api.client);
    await api.database.query(
      `INSERT INTO balances (account_id, user_id) SELECT account_id, id FROM users WHERE account_id = $1
       ON CONFLICT DO NOTHING`,
      [admin.id],
    );
    for (let index = 0; index < 20; index += 1) {
      ok(await client.post('/account/user', { name: `User ${index}`, reference: `extra${index}` }));
    }
    await api.database.query(
      `SELECT append_events(ARRAY[ROW(${admin.id}, array_fill(2::smallint, ARRAY[100]), array_fill(1::bigint, ARRAY[100]),
         NULL, '100 unknown -', NULL, NULL, NULL)::logged_group])`,
    );
    // Without this, every order would equal the order of ids.
    for (const table of ['users', 'wagers']) {
      await api.database.queryOf(
        admin.id,
        `UPDATE ${table} SET created_at = created_at - id % 1000 * interval '1 second' WHERE account_id = $1`,
        [admin.id],
      );
    }
    const [user] = ok(await client.get('/account/user?search=u0'), 200).data.items;
    const [bet] = ok(await client.get('/bets/history'), 200).data;
    const hook = { url: 'https://example.com/', types: ['wager.*'] };
    const endpoint = ok(await client.post('/webhook-endpoints', hook)).data;
    ok(await client.post('/webhook-endpoints', hook));
    for (const key of ['one', 'two']) ok(await client.post('/auth/account/api-keys', { name: key }));
    await api.database.queryOf(
      admin.id,
      `INSERT INTO positions (account_id, user_id, wager_id, win)
       SELECT ${admin.id}, ${user.id}, id, 1 FROM wagers WHERE account_id = ${admin.id}`,
    );
    await api.database.queryOf(
      admin.id,
      `INSERT INTO webhook_attempts (account_id, endpoint_id, duration_ms, status)
       SELECT ${admin.id}, ${endpoint.id}, 1, 200 FROM generate_series(1, 30)`,
    );
    await api.database.queryOf(
      admin.id,
      `INSERT INTO change_requests (account_id, kind, operation, target, asks, suspended, revision, made_by_name, expires_at)
       SELECT ${admin.id}, 'set_active', '{}', 'wager:' || n, 'account', false, 0, 'Ann', now() + interval '1 hour'
         FROM generate_series(1, 30) n`,
    );
    ids = { userId: user.id, reference: user.reference, id: bet.id, endpointId: endpoint.id };
  });

  it.each(defaults)('$name $parameter=$usual', async ({ path, parameter, usual, other }) => {
    const id = path.startsWith('/webhook-endpoints') ? ids.endpointId : ids.id;
    const target = path
      .replace('{userId}', String(ids.userId))
      .replace('{id}', String(id))
      .replace('user/{reference}', `user/${ids.reference}`);
    // Its usual period ends now, so it is another one in each request.
    const period = path.endsWith('/statement') ? 'from=2026-01-01&to=2027-01-01&' : '';
    const read = async (query: string) => {
      const { as_of: _moment, ...body } = ok(await client.get(`${target}?${period}${query}`), 200);
      return body;
    };
    const plain = await read('');
    expect(await read(`${parameter}=${usual}`)).toEqual(plain);
    // It is the only value.
    if (other === undefined) return;
    // Accounts have the same order for every value of sort_by.
    if (path === '/admin/accounts' && parameter === 'sort_by') return;
    // Few wagers and users are at risk, and one order is as good as the other.
    if (path.startsWith('/risk/')) return;
    // Where there are events, none is waited for.
    if (parameter === 'wait_ms') return;
    expect(await read(`${parameter}=${other}`)).not.toEqual(plain);
  });

  it('of money in and out', async () => {
    const { schemas } = document.components;
    const usualOf = (name: string, field: string) =>
      ((schemas[name]?.properties ?? {}) as Record<string, JsonSchema>)[field]?.default;
    const moved = { user_reference: 'extra1', amount: 1 };
    const funded = ok(await client.post('/transactions/fund-user', moved)).data;
    const withdrawn = ok(await client.post('/transactions/withdraw', moved)).data;
    expect([funded.description, withdrawn.description]).toEqual([
      usualOf('Fund', 'description'),
      usualOf('Withdraw', 'description'),
    ]);
    expect(usualOf('CancelOffer', 'cancel_all')).toBe(false);
  });
});
