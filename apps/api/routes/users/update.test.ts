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

describe('update', () => {
  it('changes only what is given, merges meta and replaces preferences', async () => {
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
    const second = await client.patch(`/account/user/${reference}/reference`, {
      name: 'Eva',
      preferences: { allow_negative_balance: false },
    });
    expect(second.body.data).toMatchObject({ name: 'Eva', preferences: { allow_negative_balance: false } });
    expect(second.body.data.preferences.other).toBeUndefined();
    expect(second.body.data.meta).toEqual(first.body.data.meta);
  });

  it('loses no key of parallel changes', async () => {
    const { id } = await createUser(client, { name: 'Fay' });
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
    const { id } = await createUser(client, { name: 'Gus' });
    const answer = await client.patch(`/account/user/${id}`, body);
    expect(answer.body).toEqual({ message, error: 'Bad Request', statusCode: 400 });
  });

  it('answers an unknown user with 404', async () => {
    expect((await client.patch('/account/user/999999999', { name: 'x' })).body).toEqual(notFound);
    expect((await client.patch('/account/user/nobody/reference', { meta: { a: 'b' } })).body).toEqual(notFound);
  });
});
