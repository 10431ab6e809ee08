import { scalars } from '#platform/database/array-literal.js';
import { afterCommit, beforeCommit, type Database, type Tx } from '#platform/database/database.js';
import { connectedDatabase, isDistributed } from '#platform/database/placement.js';
import type { Logger } from '#platform/logging/logger.js';
import { followCommit } from '#platform/process/follow-commit.js';
import type { EventCause } from './event-cause.js';
import { groupRow, type LoggedEvent, type LoggedGroup, type LoggedOperation, loggedGroup } from './logged-events.js';
import type { OnLogged } from './on-logged.js';

const collected = new WeakMap<Tx, Map<bigint, LoggedOperation[]>>();
const listeners = new WeakMap<Database, OnLogged>();

/** Calls `onLogged` after each commit of a transaction in which `logEvents` was called. Its failure is logged. */
export function hearOfLoggedEvents(database: Database, onLogged: OnLogged, logger: Pick<Logger, 'error'>): void {
  listeners.set(database, (...logged) => followCommit(logger, () => onLogged(...logged)));
}

export interface OperationOfAccount extends LoggedOperation {
  readonly accountId: bigint;
}

/**
 * Writes the events of an operation in the transaction of their effect, as its last statement. For everything but the
 * ledger, which writes its events with its other rows.
 */
export function logEvents(tx: Tx, { accountId, ...operation }: OperationOfAccount): void {
  if (operation.events.length === 0) return;
  const known = collected.get(tx);
  const operations = known ?? new Map<bigint, LoggedOperation[]>();
  operations.set(accountId, [...(operations.get(accountId) ?? []), operation]);
  if (known !== undefined) return;
  collected.set(tx, operations);
  const groups = () => [...operations].map(([id, own]): LoggedGroup => ({ accountId: id, operations: own }));
  beforeCommit(tx, (database) => append(tx, groups(), isDistributed(database)));
  afterCommit(tx, (database) => {
    const count = [...operations.values()].flat().reduce((sum, { events }) => sum + events.length, 0);
    listeners.get(connectedDatabase(database))?.([...operations.keys()], count);
  });
}

/** The coordinator of a cluster cannot plan the function that takes all accounts at once. */
async function append(tx: Tx, groups: readonly LoggedGroup[], isOnCoordinator: boolean): Promise<void> {
  if (!isOnCoordinator) {
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
