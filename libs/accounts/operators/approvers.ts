import type { Tx } from '#platform/database/database.js';
import { Refusal } from '#platform/errors/refusal.js';

/** With fewer people who may approve, nothing could be approved. */
const NEEDED = 2;

/** Refuses while fewer than two people of the account may approve. The caller has locked the account, as who changes them does. */
export async function assertTwoApprovers(tx: Tx, accountId: bigint): Promise<void> {
  const [row] = await tx.$queryRaw<{ count: number }[]>`
    SELECT count(*)::int AS count FROM operators
     WHERE account_id = ${accountId} AND state = 'active' AND role IN ('owner', 'approver')`;
  if ((row?.count ?? 0) < NEEDED) throw new Refusal('approvals-need-two');
}
