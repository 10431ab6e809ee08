import { randomUUID } from 'node:crypto';
import { Prisma, type Tx } from '#platform/database/database.js';
import { CommitUnknown, hasSqlState } from '#platform/database/errors.js';
import type { GroupRun, Task } from './task.js';

// Each run of a group has an id, drawn before the run begins. The run writes the id into the event log together with its
// effects. When a task runs again, PostgreSQL looks for the ids of its earlier runs after it has taken the locks of the task, and
// refuses when one of them was committed. So a commit that was wrongly taken for undone costs an error, and never money.

/** What the function `refuse_second_run` raises. */
const DONE_ALREADY = 'BL001';

const TIME_DIGITS = 12;
const HEXADECIMAL = 16;

/** A UUID of version 7: ids of one time stand side by side in their index. */
export function newRunId(): string {
  const time = Date.now().toString(HEXADECIMAL).padStart(TIME_DIGITS, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
}

/** Notes the run in its tasks; returns the ids of their earlier runs. */
export function beginRun(tasks: readonly Task[], id: string): string[] {
  const first: GroupRun = { id, before: undefined };
  const earlier = new Set<string>();
  for (const task of tasks) {
    const before = task.lastRun;
    for (let run = before; run !== undefined; run = run.before) earlier.add(run.id);
    task.lastRun = before === undefined ? first : { id, before };
  }
  return [...earlier];
}

/** The task did not run: whether the group was committed says nothing about it. */
export function forgetRun(task: Task): void {
  task.lastRun = task.lastRun?.before;
}

/** Throws `CommitUnknown` when one of the runs was committed. The transaction must hold the locks of its tasks. */
export async function refuseSecondRun(tx: Tx, tasks: readonly Task[], runIds: readonly string[]): Promise<void> {
  if (runIds.length === 0) return;
  const accountIds = [...new Set(tasks.map(({ accountId }) => accountId))];
  const check = Prisma.sql`SELECT refuse_second_run(${accountIds}::bigint[], ${runIds}::uuid[])`;
  await tx.$executeRaw(check).catch((error: unknown) => {
    throw hasSqlState(error, DONE_ALREADY) ? new CommitUnknown(error) : error;
  });
}
