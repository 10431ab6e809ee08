import { beforeAll, describe, expect, it } from '@jest/globals';
import { registerAndLogIn, type TestClient } from '#testing/client.js';
import { createUser } from '#testing/test-business.js';
import { withTestApi } from '#testing/with-test-api.js';

const api = withTestApi();
let client: TestClient;

beforeAll(async () => {
  ({ client } = await registerAndLogIn(api.client));
});

const notFound = { status: 404, error: 'User not found' };

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
        balance_state: 'agreed',
        exposure: 0,
        created_at: created.body.data.created_at,
      },
      message: expect.any(String),
    });
    expect((await client.get('/account/user/ann/reference')).body.data).toEqual(read.body.data);
  });

  it('refuses a taken reference with 409', async () => {
    await createUser(client, { name: 'Dee', reference: 'dee' });
    const refused = await client.post('/account/user', { name: 'Dee', reference: 'dee' });
    expect([refused.status, refused.body]).toEqual([
      409,
      { status: 409, error: 'A user with this reference already exists' },
    ]);
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
    const { id } = await createUser(client, { name: 'Odd', reference });
    expect((await client.get(`/account/user/${encodeURIComponent(reference)}/reference`)).body.data.id).toBe(id);
  });
});

describe('update', () => {
  it('answers with the user as it is now, by id and by reference', async () => {
    const { id, reference } = await createUser(client, {
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
    const byReference = await client.patch(`/account/user/${reference}/reference`, { name: 'Eva' });
    expect(byReference.body.data).toMatchObject({ name: 'Eva', meta: first.body.data.meta });
  });

  it('refuses more than 10 fields of meta, of those that it had and those that are new', async () => {
    const meta = Object.fromEntries(Array.from({ length: 10 }, (_, index) => [`key_${index}`, 'x']));
    const { id } = await createUser(client, { name: 'Fay', meta });
    const eleventh = await client.patch(`/account/user/${id}`, { meta: { one_more: 'x' }, name: 'Not Fay' });
    expect([eleventh.status, eleventh.body]).toEqual([
      400,
      { status: 400, error: 'meta must not have more than 10 fields' },
    ]);
  });

  it.each([
    [{ reference: 'new' }, ['property reference should not exist']],
    [{ balance: 1 }, ['property balance should not exist']],
    [{ name: null }, ['name should not be empty']],
    [{ meta: null }, ['meta should not be empty']],
    [{ meta: { a: null } }, ['meta.a should not be empty']],
  ])('refuses %j', async (body, message) => {
    const { id } = await createUser(client, { name: 'Gus' });
    const answer = await client.patch(`/account/user/${id}`, body);
    expect(answer.body).toEqual({ message, error: 'Bad Request', statusCode: 400 });
  });

  it('answers an unknown user with 404', async () => {
    expect((await client.patch('/account/user/999999999', { name: 'x' })).body).toEqual(notFound);
    expect((await client.patch('/account/user/nobody/reference', { meta: { a: 'b' } })).body).toEqual(notFound);
  });
});
