import type { LedgerEvent } from './shared-events.js';

/** Whether an event is about a user, or about a bet of which it is a party. The same as the filter `user_id` of the API. */
export function concernsUser({ user, bet, transactions = [], canceling }: LedgerEvent, userId: number): boolean {
  return (
    user?.id === userId ||
    bet?.requesting_user_id === userId ||
    bet?.accepting_user_id === userId ||
    canceling?.user_id === userId ||
    transactions.some(({ user_id }) => user_id === userId)
  );
}
