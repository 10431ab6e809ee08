import { expect, it } from '@jest/globals';
import { startTestWorker } from '#testing/parts.js';
import { isSettling, seedAcceptedBets } from '#testing/seeded-wagers.js';
import { accountOfUser, ok, openTestBusiness } from '#testing/test-business.js';
import { waitFor } from '#testing/wait-for.js';
import { withTestApi } from '#testing/with-test-api.js';

const BETS = 700;
const LATE = 300;
const BOUND = 50;
const api = withTestApi({ isAudited: true, settings: { SETTLEMENT_BOUND: String(BOUND) } });

const count = async (condition: string) => {
  const [row] = await api.database.query(`SELECT count(*)::int AS count FROM bets WHERE ${condition}`);
  return row?.count;
};

it('the worker voids in chunks what was matched late, between bets that it settles', async () => {
  const business = await openTestBusiness(api.client);
  const accountId = await accountOfUser(api.database, await business.user('ann'));
  await seedAcceptedBets(api.database, { accountId, bets: BETS, name: 'match' });
  const [late] = await api.database.query(`
    WITH dated AS (
      UPDATE bets SET accepted_at = now() - CASE WHEN id % 7 < 3 THEN interval '5 minutes' ELSE interval '1 hour' END
      RETURNING id, accepted_at)
    SELECT count(*)::int, min(accepted_at) AS moment, max(id) AS last FROM dated WHERE id % 7 < 3`);
  expect(late?.count).toBe(LATE);

  const decision = { reference: 'match1', outcome: 'win', void_matched_after: late?.moment };
  const { message } = ok(await business.client.post('/bets/update-wager-outcome', decision));
  expect(message).toContain(String(BETS - BOUND));
  const override = await business.override(Number(late?.last), 'win');
  expect(override.body.error).toContain('a decision is voiding the bet');

  const worker = await startTestWorker(api.environment, { SETTLEMENT_CHUNK: '100' });
  await waitFor(async () => !(await isSettling(api.database, 'match1'))).finally(() => worker.close());
  expect(await count(`id % 7 < 3 AND override_outcome = 'void' AND settled_outcome = 'void'`)).toBe(LATE);
  expect(await count(`id % 7 >= 3 AND override_outcome IS NULL AND settled_outcome = 'win'`)).toBe(BETS - LATE);
  const [trails] = await api.database.query(
    `SELECT count(*)::int AS count FROM bet_trails WHERE description = 'Outcome overridden: void'`,
  );
  expect(trails).toEqual({ count: LATE });
  ok(await business.override(Number(late?.last), 'win'), 200);
});
