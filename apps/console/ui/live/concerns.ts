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

/** Whether a type is among these; `offer.*` stands for all types that begin so. */
export const isOfTypes = (type: string, types: readonly string[]): boolean =>
  types.some((name) => (name.endsWith('*') ? type.startsWith(name.slice(0, -1)) : type === name));

/** Whether an event of a wanted type may be among those that the stream left out. */
export const mayHaveMissed = (missed: readonly string[] | undefined, wanted: readonly string[]): boolean =>
  missed === undefined || missed.some((type) => isOfTypes(type, wanted));
