import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type LoggedIn, registerAndLogIn, type TestClient } from '#testing/client.js';
import { createTestEnvironment, type TestEnvironment } from '#testing/environment.js';
import { startTestApi, type TestPart } from '#testing/parts.js';

let environment: TestEnvironment;
let api: TestPart;
let client: TestClient;
let account: LoggedIn;

beforeAll(async () => {
  environment = await createTestEnvironment();
  api = await startTestApi(environment);
  account = await registerAndLogIn(api.client);
  client = account.client;
});

afterAll(async () => {
  await api?.close();
  await environment?.close();
});

const notFound = { status: 404, error: 'User not found' };

async function create(body: object, as = client) {
  const answer = await as.post('/account/user', body);
  expect(answer.status).toBe(201);
  return answer.body.data as { id: number; reference: string; created_at: string };
}

describe('create', () => {
  it('answers with id, reference and time, and shows the user with its defaults', async () => {
    const created = await client.post('/account/user', { name: 'Ann', reference: 'ann' });
    expect(created.status).toBe(201);
    expect(created.body).toEqual({
      data: { id: expect.any(Number), reference: 'ann', created_at: expect.stringMatching(/\.\d{3}Z$/) },
      message: expect.any(String),
    });
    const { id } = created.body.data;
    const read = await client.get(`/account/user/${id}`);
    expect(read.status).toBe(200);
    expect(read.body).toEqual({
      data: {
        id,
        account_id: expect.any(Number),
        reference: 'ann',
        name: 'Ann',
        role: 'user',
        preferences: null,
        meta: null,
        balance: 0,
        exposure: 0,
        created_at: created.body.data.created_at,
      },
      message: expect.any(String),
    });
    expect((await client.get('/account/user/ann/reference')).body.data).toEqual(read.body.data);
  });

  it('generates a reference that names the account', async () => {
    const { id, reference } = await create({ name: 'Bob' });
    const { account_id } = (await client.get(`/account/user/${id}`)).body.data;
    expect(reference).toMatch(new RegExp(`^a${account_id}_user_[a-z0-9]+$`));
  });

  it('keeps meta and preferences as given', async () => {
    const given = { name: 'Cy', preferences: { allow_negative_balance: true, theme: 'dark' }, meta: { level: 'gold' } };
    const { id } = await create(given);
    expect((await client.get(`/account/user/${id}`)).body.data).toMatchObject(given);
  });

  it('refuses a taken reference with 409, and lets exactly one of many parallel creations win', async () => {
    const body = { name: 'Dee', reference: 'dee' };
    const answers = await Promise.all(Array.from({ length: 8 }, () => client.post('/account/user', body)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(409)]);
    const refused = answers.find(({ status }) => status === 409);
    expect(refused?.body).toEqual({ status: 409, error: 'A user with this reference already exists' });
  });

  it.each([
    [{}, ['name should not be empty']],
    [{ name: '' }, ['name should not be empty']],
    [{ name: 'x'.repeat(256) }, ['name must be shorter than or equal to 255 characters']],
    [{ name: 'x', reference: 'a,b' }, ['reference must not contain a comma']],
    [{ name: 'x', reference: 'a\nb' }, ['reference must not contain control characters']],
    [{ name: 'x', reference: '' }, ['reference should not be empty']],
    [{ name: 'x', meta: { a: 1 } }, ['meta.a must be a string']],
    [{ name: 'x', meta: [] }, ['meta must be an object']],
    [{ name: 'x', meta: { 'a-b': 'c' } }, ['meta.a-b key must contain only letters, digits and underscores']],
    [
      { name: 'x', meta: Object.fromEntries(Array.from({ length: 11 }, (_, i) => [`k${i}`, 'v'])) },
      ['meta must not have more than 10 fields'],
    ],
    [
      { name: 'x', preferences: { allow_negative_balance: 'yes' } },
      ['preferences.allow_negative_balance must be a boolean value'],
    ],
    [{ name: 'x', balance: 5 }, ['property balance should not exist']],
    [[], ['body must be an object']],
  ])('refuses %j', async (body, message) => {
    const before = (await client.get('/account/user')).body.data.total;
    const answer = await client.post('/account/user', body);
    expect(answer.body).toEqual({ message, error: 'Bad Request', statusCode: 400 });
    expect((await client.get('/account/user')).body.data.total).toBe(before);
  });
});

describe('read', () => {
  it.each(['/account/user/999999999', '/account/user/nobody/reference'])('answers %s with 404', async (path) => {
    const answer = await client.get(path);
    expect(answer.status).toBe(404);
    expect(answer.body).toEqual(notFound);
  });

  it.each([
    ['/account/user/abc', 'userId must be an integer number'],
    ['/account/user/0', 'userId must not be less than 1'],
    ['/account/user/99999999999999999999', 'userId must not be greater than 9007199254740991'],
    ['/account/user/a%2Cb/reference', 'reference must not contain a comma'],
  ])('refuses %s', async (path, text) => {
    expect((await client.get(path)).body.message).toEqual([text]);
  });

  it('finds a reference with characters that an address has to escape', async () => {
    const reference = 'a/b ?#%ü';
    const { id } = await create({ name: 'Odd', reference });
    expect((await client.get(`/account/user/${encodeURIComponent(reference)}/reference`)).body.data.id).toBe(id);
  });
});

describe('update', () => {
  it('changes only what is given, merges meta and replaces preferences', async () => {
    const { id, reference } = await create({
      name: 'Eve',
      preferences: { allow_negative_balance: true, other: 1 },
      meta: { level: 'gold', country: 'se' },
    });
    const first = await client.patch(`/account/user/${id}`, { meta: { level: 'silver', city: 'lund' } });
    expect(first.status).toBe(200);
    expect(first.body).toEqual({
      data: {
        id,
        reference,
        name: 'Eve',
        preferences: { allow_negative_balance: true, other: 1 },
        meta: { level: 'silver', country: 'se', city: 'lund' },
        updated_at: expect.stringMatching(/Z$/),
      },
      message: expect.any(String),
    });
    const second = await client.patch(`/account/user/${reference}/reference`, {
      name: 'Eva',
      preferences: { allow_negative_balance: false },
    });
    expect(second.body.data).toMatchObject({ name: 'Eva', preferences: { allow_negative_balance: false } });
    expect(second.body.data.preferences.other).toBeUndefined();
    expect(second.body.data.meta).toEqual(first.body.data.meta);
  });

  it('keeps every key of parallel changes', async () => {
    const { id } = await create({ name: 'Fay' });
    const keys = Array.from({ length: 10 }, (_, index) => `key_${index}`);
    const answers = await Promise.all(keys.map((key) => client.patch(`/account/user/${id}`, { meta: { [key]: 'x' } })));
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    const { meta } = (await client.get(`/account/user/${id}`)).body.data;
    expect(Object.keys(meta).sort()).toEqual(keys.sort());
    const eleventh = await client.patch(`/account/user/${id}`, { meta: { one_more: 'x' }, name: 'Not Fay' });
    expect(eleventh.status).toBe(400);
    expect(eleventh.body).toEqual({ status: 400, error: 'meta must not have more than 10 fields' });
    expect((await client.get(`/account/user/${id}`)).body.data).toMatchObject({ name: 'Fay', meta });
  });

  it.each([
    [{ reference: 'new' }, ['property reference should not exist']],
    [{ balance: 1 }, ['property balance should not exist']],
    [{ name: null }, ['name should not be empty']],
    [{ meta: null }, ['meta should not be empty']],
    [{ meta: { a: null } }, ['meta.a should not be empty']],
  ])('refuses %j', async (body, message) => {
    const { id } = await create({ name: 'Gus' });
    const answer = await client.patch(`/account/user/${id}`, body);
    expect(answer.body).toEqual({ message, error: 'Bad Request', statusCode: 400 });
  });

  it('answers an unknown user with 404', async () => {
    expect((await client.patch('/account/user/999999999', { name: 'x' })).body).toEqual(notFound);
    expect((await client.patch('/account/user/nobody/reference', { meta: { a: 'b' } })).body).toEqual(notFound);
  });
});

describe('isolation', () => {
  it('answers another account exactly as if the user did not exist', async () => {
    const mine = await create({ name: 'Mine', reference: 'shared' });
    const other = (await registerAndLogIn(api.client)).client;
    for (const path of [`/account/user/${mine.id}`, '/account/user/shared/reference']) {
      const read = await other.get(path);
      expect([read.status, read.body]).toEqual([404, notFound]);
      const changed = await other.patch(path, { name: 'Theirs', meta: { a: 'b' } });
      expect([changed.status, changed.body]).toEqual([404, notFound]);
    }
    expect((await other.get('/account/user?search=Mine')).body.data).toMatchObject({ items: [], total: 0 });
    expect((await client.get(`/account/user/${mine.id}`)).body.data).toMatchObject({ name: 'Mine', meta: null });
    // References are each account's own.
    const theirs = await create({ name: 'Theirs', reference: 'shared' }, other);
    expect(theirs.id).not.toBe(mine.id);
    expect((await other.get('/account/user/shared/reference')).body.data.name).toBe('Theirs');
  });
});
