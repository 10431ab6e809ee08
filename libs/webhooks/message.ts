import { createHmac } from 'node:crypto';
import { type EventMark, encodePosition } from '#events/event-position.js';
import type { LogEvent } from '#reads/event.js';
import { momentText, presentEvent } from '#reads/shown-event.js';
import type { EndpointKey } from './webhook-endpoint.js';

export interface Message {
  /** The same for every attempt. */
  readonly id: string;
  readonly body: string;
}

/** Standard Webhooks (1.0.0: https://github.com/standard-webhooks/standard-webhooks) asks for less than 20 kB: a larger event is read from the log. */
const MAX_BODY_BYTES = 20_000;

export interface EventMessage {
  readonly accountId: bigint;
  readonly event: LogEvent;
  /** Up to here the endpoint has everything, when it takes this message. */
  readonly upTo: EventMark;
}

export function eventMessage({ accountId, event, upTo }: EventMessage): Message {
  const data = presentEvent(accountId, event);
  const frame = { type: event.type, timestamp: data.at, cursor: encodePosition(accountId, upTo) };
  const whole = JSON.stringify({ ...frame, data });
  const { seq, cursor, type, at } = data;
  const isLarge = Buffer.byteLength(whole) >= MAX_BODY_BYTES;
  const body = isLarge ? JSON.stringify({ ...frame, data: { seq, cursor, type, at, is_shortened: true } }) : whole;
  return { id: `evt_${accountId}_${event.seq}`, body };
}

/** It says only that there is something to read. */
export function ringMessage(accountId: bigint, from: EventMark, to: EventMark): Message {
  const cursor = encodePosition(accountId, to);
  const data = { from: encodePosition(accountId, from), to: cursor };
  const body = JSON.stringify({ type: 'events.available', timestamp: momentText(to.at), cursor, data });
  return { id: `bell_${accountId}_${to.seq}`, body };
}

export function pingMessage({ accountId, id }: EndpointKey, at: Date): Message {
  const data = { webhook_endpoint_id: Number(id) };
  const body = JSON.stringify({ type: 'ping', timestamp: at.toISOString(), data });
  return { id: `ping_${accountId}_${id}_${at.getTime()}`, body };
}

const MS = 1_000;

/** `at`: of this attempt. Of each secret one signature: while an old secret lives, the receiver may check by either. */
export function messageHeaders(
  endpoint: EndpointKey,
  { id, body, at }: Message & { readonly at: Date },
  secrets: readonly Buffer[],
): Record<string, string> {
  const timestamp = Math.floor(at.getTime() / MS);
  const signatures = secrets.map((secret) => {
    const hmac = createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`);
    return `v1,${hmac.digest('base64')}`;
  });
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatures.join(' '),
    'webhook-endpoint': String(endpoint.id),
    'webhook-account': String(endpoint.accountId),
  };
}
