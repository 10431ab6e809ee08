import { type EventKind, eventKinds } from '#core/records.js';
import type { Collection, Database, Tx } from '#platform/database/database.js';
import {
  bigint,
  jsonColumn,
  list,
  number,
  orNull,
  type RowOf,
  RowType,
  scalars,
  textColumn,
} from '#platform/database/statements.js';
import type { Logger } from '#platform/logging/logger.js';
import type { EventCause } from './event-cause.js';
import { followCommit, type OnLogged } from './event-signals.js';

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

/** A JSON object: what no append-only row shows of the event. */
export type EventExtra = Readonly<Record<string, unknown>>;

/** The id of a row that is stored, or the number of one among the ids that the same call draws, from 1. */
export type EventRef = bigint | { readonly drawn: number };

export interface LoggedEvent {
  readonly kind: EventKind;
  /** What it is about. */
  readonly ref: EventRef;
  readonly extra?: EventExtra | undefined;
}

/** An operation, and its events in order. */
export interface LoggedOperation {
  readonly cause: EventCause;
  readonly events: readonly LoggedEvent[];
}

export interface LoggedGroup {
  readonly accountId: bigint;
  readonly operations: readonly LoggedOperation[];
  /** Of the run of a group of the ledger's tasks, with one of its accounts: no log has it twice. */
  readonly runId?: string;
  /** With which the ledger has counted. Undefined: the events are not of the ledger. */
  readonly decimals?: number | undefined;
}

/** A line of `event_groups.operations`. */
export interface StoredOperation {
  /** How many events it has. */
  readonly count: number;
  readonly actor: string;
  readonly requestId: string | null;
}

const NO_REQUEST = '-';
/** The API makes the ids of most requests: they are stored without what they have in common, behind a sign that no other id has. */
const MADE_ID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;
const MADE_SIGN = '~';
/** One for all ids. */
const bytes = Buffer.alloc(16);

function storedId(requestId: string): string {
  if (!MADE_ID.test(requestId)) return requestId;
  bytes.write(requestId.replaceAll('-', ''), 'hex');
  return MADE_SIGN + bytes.toString('base64url');
}

function requestIdOf(stored: string): string | null {
  if (stored === NO_REQUEST) return null;
  if (!stored.startsWith(MADE_SIGN)) return stored;
  const digits = Buffer.from(stored.slice(MADE_SIGN.length), 'base64url').toString('hex');
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** Neither an actor nor the id of a request has a space. */
const lineOf = ({ events, cause }: LoggedOperation): string =>
  `${events.length} ${cause.actor} ${cause.requestId === null ? NO_REQUEST : storedId(cause.requestId)}`;

export const operationsIn = (lines: string): StoredOperation[] =>
  lines.split('\n').map((line) => {
    const [count = '', actor = '', requestId = NO_REQUEST] = line.split(' ');
    return { count: Number(count), actor, requestId: requestIdOf(requestId) };
  });

/** The events of one account in one transaction. An event has an element in `refs`, or one in `drawn`. */
export const loggedGroup = new RowType('logged_group', {
  accountId: bigint(),
  kinds: list('smallint[]', Number),
  refs: list<bigint | null>('bigint[]', BigInt),
  drawn: orNull(list<number | null>('int[]', Number)),
  operations: textColumn(),
  extras: orNull(jsonColumn<Readonly<Record<number, EventExtra>>>()),
  runId: orNull(textColumn('uuid')),
  decimals: orNull(number('smallint')),
});

/** The account had set none: for `append_events`. */
export const NO_DECIMALS = -1;

export function groupRow({ accountId, operations, runId, decimals }: LoggedGroup): RowOf<typeof loggedGroup> {
  const kinds: number[] = [];
  const refs: (bigint | null)[] = [];
  const drawn: (number | null)[] = [];
  const lines: string[] = [];
  let extras: Record<number, EventExtra> | null = null;
  for (const operation of operations) {
    lines.push(lineOf(operation));
    for (const { kind, ref, extra } of operation.events) {
      if (extra !== undefined) {
        extras ??= {};
        extras[kinds.length] = extra;
      }
      kinds.push(eventKinds[kind]);
      refs.push(typeof ref === 'bigint' ? ref : null);
      drawn.push(typeof ref === 'bigint' ? null : ref.drawn);
    }
  }
  const isDrawn = drawn.some((number) => number !== null);
  return {
    accountId,
    kinds,
    refs,
    drawn: isDrawn ? drawn : null,
    operations: lines.join('\n'),
    extras,
    runId: runId ?? null,
    decimals: decimals ?? null,
  };
}
