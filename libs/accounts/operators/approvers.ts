import type { Tx } from '#platform/database/database.js';
import { Refusal } from '#platform/errors/refusal.js';

/** With fewer people who may approve, nothing could be approved. */
const NEEDED = 2;

interface Approving {
  readonly approvers: number;
  /** Whether the account wants approvals. */
  readonly isOn: boolean;
}

async function readApproving(tx: Tx, accountId: bigint): Promise<Approving> {
  const [row] = await tx.$queryRaw<Approving[]>`
    SELECT (SELECT count(*)::int FROM operators o
             WHERE o.account_id = a.id AND o.state = 'active' AND o.role IN ('owner', 'approver')) AS approvers,
           coalesce(jsonb_typeof(a.preferences -> 'approvals') = 'object', false) AS "isOn"
      FROM accounts a WHERE a.id = ${accountId}`;
  return row ?? { approvers: 0, isOn: false };
}

// The caller has locked the account, as whoever changes its people or its preferences does.

/** Before approvals are switched on. */
export async function assertTwoApprovers(tx: Tx, accountId: bigint): Promise<void> {
  const { approvers } = await readApproving(tx, accountId);
  if (approvers < NEEDED) throw new Refusal('approvals-need-two');
}

/** After a person has lost a right. */
export async function assertApproversLeft(tx: Tx, accountId: bigint): Promise<void> {
  const { approvers, isOn } = await readApproving(tx, accountId);
  if (isOn && approvers < NEEDED) throw new Refusal('two-people-needed');
}
