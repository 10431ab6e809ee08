import { type EventKind, eventKinds } from '#core/event-kind.js';
import { type Field, records, scalars } from '#platform/database/array-literal.js';
import type { EventCause } from './event-cause.js';

/** A JSON object: what no append-only row shows of the event. */
export type EventExtra = Readonly<Record<string, unknown>>;

export interface LoggedEvent {
  readonly kind: EventKind;
  /** The id of what it is about; below zero: the place, counted from -1, among the ids that the same call draws. */
  readonly ref: bigint;
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
/** One for all: a new buffer for each id takes V8 longer than the rest. */
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

/** The fields of the type `logged_group`. */
export function groupRecord({ accountId, operations, runId }: LoggedGroup): Field[] {
  const kinds: number[] = [];
  const refs: bigint[] = [];
  const lines: string[] = [];
  let extras: Record<number, EventExtra> | undefined;
  for (const operation of operations) {
    lines.push(lineOf(operation));
    for (const { kind, ref, extra } of operation.events) {
      if (extra !== undefined) {
        extras ??= {};
        extras[kinds.length] = extra;
      }
      kinds.push(eventKinds[kind]);
      refs.push(ref);
    }
  }
  const shown = extras === undefined ? null : JSON.stringify(extras);
  return [accountId, scalars(kinds), scalars(refs), lines.join('\n'), shown, runId ?? null];
}

/** For a parameter of the type `logged_group[]`; null when there are no events. */
export const groupRecords = (groups: readonly LoggedGroup[]): string | null => records(groups, groupRecord);
