import type { TestClient } from './client.js';
import { ok, type TestBusiness } from './test-business.js';

/** Calls every route of change requests, with each of its successes. Another person of the business approves. */
export async function walkApprovals(business: TestBusiness, approver: TestClient): Promise<void> {
  const { client } = business;
  const approvals = { kinds: ['update_wager_outcome', 'withdraw_user'], above: 1, expires_in: 60 };
  ok(await client.patch('/auth/account/preferences', { approvals }), 200);
  const loosened = ok(await client.patch('/auth/account/preferences', { approvals: null }), 202).change_request;
  await business.match('ann', 'bob', 5);
  const { id } = ok(await business.decide('win'), 202).change_request;
  ok(await client.post('/transactions/withdraw', { user_reference: 'ann', amount: 2 }), 202);
  const { revision } = ok(await client.get(`/change-requests/${id}`), 200).data;
  ok(await approver.post(`/change-requests/${id}/approve`, { revision: revision + 1 }), 409);
  ok(await approver.post(`/change-requests/${id}/approve`, { revision }), 200);
  const reason = 'The withdrawal is too much';
  ok(await approver.post(`/change-requests/${loosened.id}/reject`, { reason }), 200);
  const operation = { type: 'update_preferences', approvals: null };
  const asked = ok(await client.post('/change-requests', { operation, reason })).data;
  ok(await client.post(`/change-requests/${asked.id}/withdraw`), 200);
  ok(await client.get('/change-requests'), 200);
}
