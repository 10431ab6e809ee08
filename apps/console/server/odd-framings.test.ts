import { describe, expect, it } from '@jest/globals';
import { registerAndLogIn } from '#testing/client.js';
import { logInAtConsole, withConsoleServer } from '#testing/console-session.js';
import { isLongForm } from '#testing/long-form.js';
import { expectNoHarm } from '#testing/odd-framings.js';
import { testSeed } from '#testing/test-seed.js';

const COUNT = isLongForm ? 3_000 : 1_000;
const RATE_LIMITS = 'off';

const { api, console } = withConsoleServer({ ofApi: { RATE_LIMITS }, ofConsole: { RATE_LIMITS } });

const openUser = async () => {
  const account = await registerAndLogIn(api.client);
  const { headers } = await logInAtConsole(console.client, account);
  return { email: account.email, headers };
};

describe('odd framings', () => {
  it(`reach no user of the console: ${COUNT} of them (seed ${testSeed})`, async () => {
    const [attacker, ...users] = [await openUser(), await openUser(), await openUser()];
    const { baseUrl } = console.client;
    const attack = await expectNoHarm({ baseUrl, prefix: '/api', seed: testSeed, count: COUNT, attacker, users });
    expect(attack.sent).toBe(COUNT);
    // Not all are refused by the parser, at their first oddity. Of those that are answered in time, because a machine may stand still.
    const answered = COUNT - (attack.statuses.get(0) ?? 0);
    for (const status of [200, 400, 401, 404]) expect(attack.statuses.get(status)).toBeGreaterThan(answered / 200);
    // The attacker's connection to the API serves no answer of its own to others, and its session lives.
    const own = await console.client.with(attacker.headers).get('/api/auth/account/me');
    expect([own.status, own.body.data.email]).toEqual([200, attacker.email]);
  });
});
