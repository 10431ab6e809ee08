import { type BetOperationType, betOperations } from '../bet-operations.js';
import { successOf } from '../history.js';
import type { Client } from './client.js';

/** An operation, and how its success changes the shared knowledge of the account. */
export interface Plan {
  readonly type: BetOperationType;
  /** As a batch takes it. */
  readonly data: object;
  readonly learn?: (data: unknown) => void;
}

/** Sends it as a request of its own: the wager of an operation on a wager stands in the path. */
export async function carryOut(client: Client, plan: Plan | undefined): Promise<void> {
  if (plan === undefined) return;
  const { kind, path } = betOperations[plan.type];
  const { wager_reference: wager = '', ...own } = plan.data as { readonly wager_reference?: string };
  const isOnWager = path.includes(':reference');
  const body = Object.keys(own).length === 0 ? undefined : own;
  const sent = await client.post(kind, path.replace(':reference', wager), isOnWager ? body : plan.data);
  const done = successOf<{ readonly data?: unknown }>(sent);
  if (done !== undefined) plan.learn?.(done.data);
}

export const inBatch = (plans: readonly Plan[]) => ({
  operations: plans.map(({ type, data }, index) => ({ operation_type: type, operation_id: `op-${index + 1}`, data })),
});

export async function sendBatch(client: Client, plans: readonly Plan[]): Promise<void> {
  const operation = await client.post('batch', '/bets/batch', inBatch(plans));
  const results = successOf<{ readonly results: readonly { readonly data?: unknown }[] }>(operation)?.results ?? [];
  for (const [index, { data }] of results.entries()) plans[index]?.learn?.(data);
}
