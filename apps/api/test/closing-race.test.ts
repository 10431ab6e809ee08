import { describe, expect, it } from '@jest/globals';
import type { Answer } from '#testing/client.js';
import { ok } from '#testing/test-business.js';
import { waitFor } from '#testing/wait-for.js';
import { withFreshBusiness } from '#testing/with-business.js';
import { withTestApi } from '#testing/with-test-api.js';

// As many connections as a busy market has accept without a pause, from before the moment until each is refused.

const CONNECTIONS = 256;
const AHEAD_MS = 1_000;
const BACK_WITHIN_MS = 2_000;
const AMOUNT = 0.01;

const api = withTestApi({
  isAudited: true,
  processes: 2,
  hasWorker: true,
  settings: { RATE_LIMITS: 'account=200000/10s,address=200000/10s' },
});
const business = withFreshBusiness(api, { ann: 1_000_000, bob: 1_000_000 });

const soon = () => new Date(Date.now() + AHEAD_MS).toISOString();
const exposureOf = async (reference: string) => (await business.moneyOf(reference)).exposure;

/** Accepts until it is refused; returns that answer, and how many were accepted before. */
async function acceptToTheEnd(connection: number): Promise<{ readonly last: Answer; readonly accepted: number }> {
  const { token } = business.account;
  const client = api.clients[connection % api.clients.length]?.as({ token }) ?? business.client;
  const body = {
    wager_reference: 'match',
    maximum_odds: 10,
    accepting_amount: AMOUNT,
    accepting_user_reference: 'bob',
  };
  for (let accepted = 0; ; accepted += 1) {
    const last = await client.post('/bets/accept-offer', body);
    if (last.status !== 201) return { last, accepted };
  }
}

/** Returns the number of acceptances. */
async function race(refusal: string): Promise<number> {
  const ends = await Promise.all(Array.from({ length: CONNECTIONS }, (_, connection) => acceptToTheEnd(connection)));
  const answers = new Set(ends.map(({ last: { status, body } }) => `${status} ${body.error}`));
  expect([...answers]).toEqual([`400 ${refusal}`]);
  return ends.reduce((sum, { accepted }) => sum + accepted, 0);
}

/** By PostgreSQL's clock: the matches, and how many of them are not before the moment. */
const matches = async (moment: string) => {
  const [row] = await api.database.query(
    `SELECT count(*)::int AS count, count(*) FILTER (WHERE accepted_at >= $1)::int AS late FROM bets b
       JOIN wagers w ON w.account_id = b.account_id AND w.id = b.wager_id
      WHERE accepting_user_id IS NOT NULL AND w.account_id = (SELECT max(account_id) FROM wagers)`,
    [moment],
  );
  return row;
};

describe(`${CONNECTIONS} connections meet a moment`, () => {
  it('closes_at: nothing is accepted from then on, and the offers that end with it give their exposure back', async () => {
    ok(await business.make('ann', 10_000, 2, { persistence: 'cancel_on_suspend' }));
    const closesAt = soon();
    ok(await business.client.put('/wagers/match', { closes_at: closesAt }), 200);
    const accepted = await race('Wager is closed');
    const isBack = async () => (await exposureOf('ann')) === (await exposureOf('bob'));
    await waitFor(isBack, { timeoutMs: BACK_WITHIN_MS });
    expect(accepted).toBeGreaterThan(0);
    expect(await matches(closesAt)).toEqual({ count: accepted, late: 0 });
  });

  it('expires_at: nothing of the offer is accepted from then on, and its exposure comes back', async () => {
    const expiresAt = soon();
    ok(await business.make('ann', 10_000, 2, { expires_at: expiresAt }));
    const accepted = await race('No matching bet offers found');
    const isBack = async () => (await exposureOf('ann')) === (await exposureOf('bob'));
    await waitFor(isBack, { timeoutMs: BACK_WITHIN_MS });
    expect(accepted).toBeGreaterThan(0);
    expect(await matches(expiresAt)).toEqual({ count: accepted, late: 0 });
  });
});
