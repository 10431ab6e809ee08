import { afterCommit, beforeCommit, type Database, type Tx } from '#platform/database/database.js';
import type { EventCause } from './event-cause.js';
import { groupRecords, type LoggedEvent, type LoggedGroup, type LoggedOperation } from './logged-events.js';
import type { OnLogged } from './on-logged.js';

const collected = new WeakMap<Tx, Map<bigint, LoggedOperation[]>>();
const listeners = new WeakMap<Database, OnLogged>();

/** Calls `onLogged` after each commit of a transaction in which `logEvents` was called. */
export function hearOfLoggedEvents(database: Database, onLogged: OnLogged): void {
  listeners.set(database, onLogged);
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
  beforeCommit(tx, async () => {
    await tx.$executeRaw`/* prepared: append events */ SELECT append_events(${groupRecords(groups())}::logged_group[])`;
  });
  afterCommit(tx, (database) => {
    const count = [...operations.values()].flat().reduce((sum, { events }) => sum + events.length, 0);
    listeners.get(database)?.([...operations.keys()], count);
  });
}

/** An operation with one event. */
export const singleEvent = (accountId: bigint, cause: EventCause, event: LoggedEvent): OperationOfAccount => ({
  ...{ accountId, cause, events: [event] },
});
