import { describe, expect, it } from '@jest/globals';
import { registerAndLogIn } from '#testing/client.js';
import { isLongForm } from '#testing/long-form.js';
import { expectNoHarm } from '#testing/odd-framings.js';
import { testSeed } from '#testing/test-seed.js';
import { withTestApi } from '#testing/with-test-api.js';

const COUNT = isLongForm ? 3_000 : 1_000;

const api = withTestApi({ settings: { RATE_LIMITS: 'off' } });

const openUser = async () => {
  const { email, token } = await registerAndLogIn(api.client);
  return { email, headers: { Authorization: `Bearer ${token}` } };
};

describe('odd framings', () => {
  it(`reach no user of the API: ${COUNT} of them (seed ${testSeed})`, async () => {
    const [attacker, ...users] = [await openUser(), await openUser(), await openUser()];
    const { baseUrl } = api.client;
    const attack = await expectNoHarm({ baseUrl, prefix: '', seed: testSeed, count: COUNT, attacker, users });
    expect(attack.sent).toBe(COUNT);
    // Not all are refused by the parser, at their first oddity.
    for (const status of [200, 400, 401, 404]) expect(attack.statuses.get(status)).toBeGreaterThan(2);
  });
});
