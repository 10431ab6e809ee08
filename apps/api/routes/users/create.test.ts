import { beforeAll, describe, expect, it } from '@jest/globals';
import { registerAndLogIn, type TestClient } from '#testing/client.js';
import { createUser } from '#testing/test-business.js';
import { withTestApi } from '#testing/with-test-api.js';

const api = withTestApi();
let client: TestClient;

beforeAll(async () => {
  ({ client } = await registerAndLogIn(api.client));
});

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

  it('generates a reference that names the account', async () => {
    const { id, reference } = await createUser(client, { name: 'Bob' });
    const { account_id } = (await client.get(`/account/user/${id}`)).body.data;
    expect(reference).toMatch(new RegExp(`^a${account_id}_user_[a-z0-9]+$`));
  });

  it('stores meta and preferences as given', async () => {
    const given = { name: 'Cy', preferences: { allow_negative_balance: true, theme: 'dark' }, meta: { level: 'gold' } };
    const { id } = await createUser(client, given);
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
