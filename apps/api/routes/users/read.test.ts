import { beforeAll, describe, expect, it } from '@jest/globals';
import { type LoggedIn, registerAndLogIn, type TestClient } from '#testing/client.js';
import { withTestApi } from '#testing/with-test-api.js';

const api = withTestApi();
let client: TestClient;
let account: LoggedIn;

beforeAll(async () => {
  account = await registerAndLogIn(api.client);
  client = account.client;
});

const notFound = { status: 404, error: 'User not found' };

async function create(body: object, as = client) {
  const answer = await as.post('/account/user', body);
  expect(answer.status).toBe(201);
  return answer.body.data as { id: number; reference: string; created_at: string };
}

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
