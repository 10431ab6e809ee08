import { randomUUID } from 'node:crypto';
import { Prisma, type Tx } from '#platform/database/database.js';
import { CommitUnknown, hasSqlState } from '#platform/database/errors.js';
import type { GroupRun } from './rows/group-log.js';
import type { Task } from './task.js';

// Each run of a group has an id, drawn before the run begins. The run writes the id into the event log together with its
// effects. When a task runs again, PostgreSQL looks for the ids of its earlier runs after it has taken the locks of the task, and
// refuses when one of them was committed. So a commit that was wrongly taken for undone costs an error, and never money.

/** What the function `refuse_second_run` raises. */
const DONE_ALREADY = 'BL001';

const TIME_DIGITS = 12;
const HEXADECIMAL = 16;

/** A UUID of version 7: ids of one time stand side by side in their index. */
function newRunId(): string {
  const time = Date.now().toString(HEXADECIMAL).padStart(TIME_DIGITS, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
}

/** Notes a new run in its tasks; returns it, and the earlier runs of these tasks. */
export function beginRun(tasks: readonly Task[]): { run: GroupRun; earlier: readonly GroupRun[] } {
  const run: GroupRun = { id: newRunId(), accountId: undefined };
  const first = [run];
  const earlier = new Set<GroupRun>();
  for (const task of tasks) {
    for (const before of task.runs ?? []) earlier.add(before);
    task.runs = task.runs === undefined ? first : [...task.runs, run];
  }
  return { run, earlier: [...earlier] };
}

/** The task did not run: whether the group was committed says nothing about it. */
export function forgetRun(task: Task): void {
  task.runs = task.runs?.slice(0, -1);
}

/** Throws `CommitUnknown` when one of the runs was committed. The transaction must hold the locks of the runs' tasks. */
export async function refuseSecondRun(tx: Tx, earlier: readonly GroupRun[]): Promise<void> {
  // A run that wrote no event had no effect.
  const written = earlier.filter(({ accountId }) => accountId !== undefined);
  if (written.length === 0) return;
  const [accountIds, ids] = [written.map(({ accountId }) => accountId), written.map(({ id }) => id)];
  const check = Prisma.sql`SELECT refuse_second_run(${accountIds}::bigint[], ${ids}::uuid[])`;
  await tx.$executeRaw(check).catch((error: unknown) => {
    throw hasSqlState(error, DONE_ALREADY) ? new CommitUnknown(error) : error;
  });
}
