import type { EventKind } from '#core/records.js';
import { type EventMark, encodePosition } from '#events/event-position.js';
import { typesNamed } from '#events/event-types.js';
import type { LogEvent, LoggedMark } from '#reads/event.js';
import { momentText, presentEvent } from '#reads/shown-event.js';
import type { AccountLog } from './delivered-events.js';
import type { Delivery } from './delivery-rows.js';
import type { Message } from './sender.js';
import type { EndpointMode } from './webhook-endpoint.js';

// How the modes of endpoints differ. All have deliveries in lines; a line is delivered in the order of the log.

/** A look at the log, from behind the cursor to the event `last`. */
interface Look {
  readonly cursorSeq: bigint;
  readonly last: LoggedMark;
  /** Of the events looked at, those of the endpoint's types. */
  readonly wanted: readonly LoggedMark[];
  /** How many more deliveries may wait: at least one. */
  readonly free: number;
}

interface Planned {
  readonly deliveries: readonly Pick<Delivery, 'seq' | 'fromSeq' | 'line'>[];
  /** Everything up to here is delivered or waits. */
  readonly cursorSeq: bigint;
}

export interface DeliveryMode {
  /** How many deliveries wait at most: what has failed holds up no more of the log than that. */
  readonly mostWaiting: number;
  /** How many events are read from the log at once. */
  readonly mostRead: number;
  /** How many lines are delivered at the same time. */
  readonly linesAtOnce: number;
  /** How long the endpoint rests when it has taken a message; undefined: it gets the next one at once. */
  readonly restMs?: number;
  /** What of a look becomes deliveries. */
  plan(log: AccountLog, look: Look): Promise<Planned>;
  /** The messages of deliveries, in the order of the log; `completeSeq`: nothing up to there waits. */
  messages(log: AccountLog, deliveries: readonly Delivery[], completeSeq: bigint): Promise<Map<bigint, Message>>;
}

/** The line of all deliveries of an endpoint that is not keyed. */
const ONE_LINE = 'all';

/** As many of the wanted events as there is space for, and how far the cursor then goes. */
function fitting({ cursorSeq, last, wanted, free }: Look) {
  const taken = wanted.slice(0, free);
  return { taken, cursorSeq: taken.length < wanted.length ? (taken.at(-1)?.seq ?? cursorSeq) : last.seq };
}

/** Standard Webhooks (1.0.0: https://github.com/standard-webhooks/standard-webhooks) asks for less than 20 kB: a larger event is read from the log. */
const MAX_BODY_BYTES = 20_000;

interface EventMessage {
  readonly accountId: bigint;
  readonly event: LogEvent;
  /** Up to here the endpoint has everything, when it takes this message. */
  readonly upTo: EventMark;
}

function eventMessage({ accountId, event, upTo }: EventMessage): Message {
  const data = presentEvent(accountId, event);
  const frame = { type: event.type, timestamp: data.at, cursor: encodePosition(accountId, upTo) };
  const whole = JSON.stringify({ ...frame, data });
  const { seq, cursor, type, at } = data;
  const isLarge = Buffer.byteLength(whole) >= MAX_BODY_BYTES;
  const body = isLarge ? JSON.stringify({ ...frame, data: { seq, cursor, type, at, is_shortened: true } }) : whole;
  return { id: `evt_${accountId}_${event.seq}`, body };
}

/** It says only that there is something to read. */
function ringMessage(accountId: bigint, from: EventMark, to: EventMark): Message {
  const cursor = encodePosition(accountId, to);
  const data = { from: encodePosition(accountId, from), to: cursor };
  const body = JSON.stringify({ type: 'events.available', timestamp: momentText(to.at), cursor, data });
  return { id: `bell_${accountId}_${to.seq}`, body };
}

/** One event after the other. */
const ordered: DeliveryMode = {
  mostWaiting: 100,
  mostRead: 1_000,
  linesAtOnce: 1,
  async plan(_log, look) {
    const { taken, cursorSeq } = fitting(look);
    return { deliveries: taken.map(({ seq }) => ({ seq, fromSeq: null, line: ONE_LINE })), cursorSeq };
  },
  async messages({ accountId, eventsOf }, deliveries) {
    const events = await eventsOf(deliveries.map(({ seq }) => seq));
    return new Map(events.map((event) => [event.seq, eventMessage({ accountId, event, upTo: event })]));
  },
};

/** The events of each wager and of each user one after the other. */
const keyed: DeliveryMode = {
  mostWaiting: 1_000,
  mostRead: 200,
  linesAtOnce: 8,
  async plan({ show }, look) {
    const { taken, cursorSeq } = fitting(look);
    const deliveries = await show(taken, (event) => ({ seq: event.seq, fromSeq: null, line: lineOf(event) }));
    return { deliveries, cursorSeq };
  },
  async messages({ accountId, eventsOf, markOf }, deliveries, completeSeq) {
    const events = await eventsOf(deliveries.map(({ seq }) => seq));
    const upTo = await markOf(completeSeq);
    return new Map(events.map((event) => [event.seq, eventMessage({ accountId, event, upTo })]));
  },
};

/** One message for all that has happened: the receiver reads the log. */
const doorbell: DeliveryMode = {
  mostWaiting: 1,
  mostRead: 10_000,
  linesAtOnce: 1,
  restMs: 1_000,
  async plan(_log, { cursorSeq, last, wanted }) {
    const ring = { seq: last.seq, fromSeq: cursorSeq, line: ONE_LINE };
    return { deliveries: wanted.length === 0 ? [] : [ring], cursorSeq: last.seq };
  },
  async messages({ accountId, markOf }, [ring]) {
    if (ring === undefined) return new Map();
    const from = await markOf(ring.fromSeq ?? 0n);
    return new Map([[ring.seq, ringMessage(accountId, from, await markOf(ring.seq))]]);
  },
};

export const deliveryModes: Record<EndpointMode, DeliveryMode> = { ordered, keyed, doorbell };

/** In a keyed endpoint, what is about one wager is a line, and what is about one user. */
function lineOf({ type, ref, bet, transactions: [transaction] }: LogEvent): string {
  if (bet !== undefined) return `wager ${bet.wagerId}`;
  if (type.startsWith('wager.')) return `wager ${ref}`;
  if (transaction !== undefined) return `user ${transaction.userId}`;
  if (type.startsWith('user.')) return `user ${ref}`;
  return 'account';
}

const ALL = '*';

export const isTypeName = (name: string): boolean => name === ALL || typesNamed(name).length > 0;

/** The events that an endpoint wants. A name that has no type any more stands for none. */
export function wantedTypes(names: readonly string[]): (type: EventKind) => boolean {
  if (names.includes(ALL)) return () => true;
  const types = new Set(names.flatMap(typesNamed));
  return (type) => types.has(type);
}

const isOfBets = (type: EventKind): boolean => type.startsWith('offer.') || type.startsWith('bet.');

/** A busy day has a million events of single bets, and no receiver takes a million requests. */
export const usualMode = (names: readonly string[]): EndpointMode =>
  names.some((name) => name === ALL || typesNamed(name).some(isOfBets)) ? 'doorbell' : 'ordered';
