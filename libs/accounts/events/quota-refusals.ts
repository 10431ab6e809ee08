import type { OnQuotaRefused } from '#platform/quotas/quota-use.js';
import type { Cause } from './account-event.js';
import type { NotedEvents } from './noted-events.js';

/** The actor is the account whose request or export was refused: a quota does not know its credential. */
const causeOfAccount = (accountId: bigint): Cause => ({
  actor: { type: 'account', account_id: Number(accountId), api_key_id: null, operator_id: null, name: null },
  address: null,
  requestId: null,
});

/** Counts each refusal, and tells its account. */
export const tellingOfRefusals =
  (count: OnQuotaRefused, notedEvents: Pick<NotedEvents, 'note'>): OnQuotaRefused =>
  (quota, accountId) => {
    count(quota, accountId);
    if (accountId === undefined) return;
    notedEvents.note({ accountId, type: 'quota-refused', after: { quota }, cause: causeOfAccount(accountId) });
  };
