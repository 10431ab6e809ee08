import { describe, expect, it } from '@jest/globals';
import { registerAndLogIn } from '#testing/client.js';
import { linkTokenIn } from '#testing/mails.js';
import { withTestApi } from '#testing/with-test-api.js';

// Probes, scrapers and mail trackers add parameters of their own to what they open.

const api = withTestApi({ hasWorker: true });
const TRACKED = 'utm_source=mail&utm_source=again&meta_x=1&mc_eid=';

describe('unknown parameters', () => {
  it.each(['/healthz', '/readyz', '/metrics'])('do not count at %s', async (path) => {
    expect((await api.client.get(`${path}?${TRACKED}`)).status).toBe(200);
  });

  it('do not count in the link of a mail, but the token does', async () => {
    const account = await registerAndLogIn(api.client);
    const token = linkTokenIn(await api.mailTo(account, 'Confirm your e-mail address'));
    const open = (query: string) => api.client.get(`/auth/account/verify-email?${query}`);
    const faultsOf = async (query: string) => (await open(query)).body.message;
    expect(await faultsOf(TRACKED)).toEqual(['token should not be empty']);
    expect(await faultsOf(`token=${token}&token=${token}&${TRACKED}`)).toEqual([
      'token must not be given more than once',
    ]);
    expect((await open(`${TRACKED}&token=${token}`)).status).toBe(200);
  });
});

describe('many faults', () => {
  const names = Array.from({ length: 1_234 }, (_, index) => `n${index}`);
  const faultsOf = (all: readonly string[]) => all.map((name) => `property ${name} should not exist`);

  it.each([500, 501, 1_234])('of a query are told up to 500: %s', async (count) => {
    const { client } = await registerAndLogIn(api.client);
    const given = names.slice(0, count);
    const { status, body } = await client.get(`/transactions?${given.map((name) => `${name}=1`).join('&')}`);
    const more = count > 500 ? [`and ${count - 500} more faults`] : [];
    expect([status, body.message]).toEqual([400, [...faultsOf(given.slice(0, 500)), ...more]]);
  });

  it('of a body and its query are counted together', async () => {
    const { client } = await registerAndLogIn(api.client);
    const body = Object.fromEntries(names.slice(0, 510).map((name) => [name, 1]));
    const { message } = (await client.post('/account/user?colour=red', body)).body;
    expect([message.length, message.at(-1)]).toEqual([501, expect.stringMatching(/^and 1\d more faults$/)]);
  });
});
