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
