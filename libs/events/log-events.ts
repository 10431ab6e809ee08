import type { Collection, Database, Tx } from '#platform/database/database.js';
import { scalars } from '#platform/database/statements.js';
import type { Logger } from '#platform/logging/logger.js';
import { followCommit } from '#platform/process/follow-commit.js';
import type { EventCause } from './event-cause.js';
import { groupRow, type LoggedEvent, type LoggedGroup, type LoggedOperation, loggedGroup } from './logged-events.js';
import type { OnLogged } from './on-logged.js';

/** Calls `onLogged` after each commit of a transaction in which `logEvents` was called. Its failure is logged. */
export function hearOfLoggedEvents(database: Database, onLogged: OnLogged, logger: Pick<Logger, 'error'>): void {
  database.onLogged = (...logged) => followCommit(logger, () => onLogged(...logged));
}

export interface OperationOfAccount extends LoggedOperation {
  readonly accountId: bigint;
}

/**
 * Writes the events of an operation in the transaction of their effect, as its last statement. For everything but the
 * ledger, which writes its events with its other rows.
 */
export function logEvents(tx: Tx, operation: OperationOfAccount): void {
  if (operation.events.length > 0) tx.collect(collectedEvents, operation);
}

const collectedEvents: Collection<OperationOfAccount> = {
  write: (tx, operations) => append(tx, groupsOf(operations)),
  committed(database, operations) {
    const count = operations.reduce((sum, { events }) => sum + events.length, 0);
    database.onLogged([...new Set(operations.map(({ accountId }) => accountId))], count);
  },
};

function groupsOf(all: readonly OperationOfAccount[]): LoggedGroup[] {
  const groups = new Map<bigint, LoggedOperation[]>();
  for (const { accountId, ...operation } of all) {
    groups.set(accountId, [...(groups.get(accountId) ?? []), operation]);
  }
  return [...groups].map(([accountId, operations]) => ({ accountId, operations }));
}

/** The coordinator of a cluster cannot plan the function that takes all accounts at once. */
async function append(tx: Tx, groups: readonly LoggedGroup[]): Promise<void> {
  if (!tx.isOnCoordinator) {
    await tx.$executeRaw`/* prepared: append events */ 
      SELECT append_events(${loggedGroup.literal(groups.map(groupRow))}::logged_group[])`;
    return;
  }
  for (const group of groups.toSorted((one, other) => (one.accountId < other.accountId ? -1 : 1))) {
    await appendGroup(tx, group);
  }
}

export async function appendGroup(tx: Tx, group: LoggedGroup): Promise<void> {
  const { accountId, kinds, refs, operations, extras } = groupRow(group);
  await tx.$executeRaw`
    SELECT append_group(${accountId}, ${scalars(kinds)}::smallint[], ${scalars(refs)}::bigint[], ${operations}, ${extras && JSON.stringify(extras)}::jsonb)`;
}

/** An operation with one event. */
export const singleEvent = (accountId: bigint, cause: EventCause, event: LoggedEvent): OperationOfAccount => ({
  accountId,
  cause,
  events: [event],
});
