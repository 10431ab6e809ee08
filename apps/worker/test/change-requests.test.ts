import { beforeEach, expect, it } from '@jest/globals';
import { expectBooksToBalance } from '#testing/books.js';
import { addPerson } from '#testing/people.js';
import { ok } from '#testing/test-business.js';
import { waitFor } from '#testing/wait-for.js';
import { withFreshBusiness } from '#testing/with-business.js';
import { withTestApi } from '#testing/with-test-api.js';

const api = withTestApi({ hasWorker: true, settings: { SETTLEMENT_BOUND: '1' } });
const business = withFreshBusiness(api, { ann: 1000, bob: 1000 });

beforeEach(async () => {
  await business.match('ann', 'bob', 10);
});

const ask = async () => {
  const operation = { type: 'update_wager_outcome', reference: 'match', outcome: 'win' };
  const body = { operation, reason: 'The match is over', suspend: true };
  return ok(await business.client.post('/change-requests', body)).data.id;
};
const stateOf = async (id: number) => ok(await business.client.get(`/change-requests/${id}`), 200).data.state;
const statusOfWager = async () => ok(await business.client.get('/wagers/match'), 200).data.status;

it('the worker settles what an approved decision leaves', async () => {
  await business.match('ann', 'bob', 20);
  await business.match('bob', 'ann', 5);
  const { id: accountId } = business.account;
  const bea = await addPerson(api.database, api.client, { accountId });
  const id = await ask();
  const { revision, preview } = ok(await bea.client.get(`/change-requests/${id}`), 200).data;
  expect(preview).toMatchObject({ bets: { settled: 3 }, moved: { credit: 35, debit: 35 } });
  ok(await bea.client.post(`/change-requests/${id}/approve`, { revision }), 200);
  await waitFor(async () => (await business.moneyOf('ann')).exposure === 0);
  expect(await business.moneyOf('ann')).toEqual({ balance: 1025, exposure: 0 });
  await expectBooksToBalance(api.database);
});

it('the worker expires change requests whose time has come, and resumes their wagers', async () => {
  const id = await ask();
  expect(await statusOfWager()).toBe('suspended');
  await api.database.query('UPDATE change_requests SET expires_at = now() WHERE id = $1', [id]);
  await waitFor(async () => (await stateOf(id)) === 'expired');
  expect(await statusOfWager()).toBe('open');
  const [event] = ok(await business.client.get('/events?types=change_request.expired'), 200).data;
  expect(event).toMatchObject({ actor: { kind: 'worker' }, change_request: { id } });
  expect(event.change_request).not.toHaveProperty('decided_by');
  const next = await ask();
  expect(await stateOf(next)).toBe('pending');
  await expectBooksToBalance(api.database);
});
