import { createHmac, timingSafeEqual } from 'node:crypto';
import type { components } from './generated.js';

// Standard Webhooks 1.0.0, on the receiving side.

type Schemas = components['schemas'];

type Shortened = Extract<Schemas['WebhookMessage']['data'], { readonly is_shortened: true }>;
type MessageOf<Event> = Event extends { readonly type: infer Type }
  ? Omit<Schemas['WebhookMessage'], 'type' | 'data'> & { readonly type: Type; readonly data: Event | Shortened }
  : never;

/** What comes to an endpoint. Compare `type`, and skip types that you do not know. */
export type WebhookMessage = MessageOf<Schemas['Event']> | Schemas['WebhookRing'] | Schemas['WebhookPing'];

/** Of `fetch`, or of `node:http`. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface VerifyOptions {
  /** One, or during a rotation several: `whsec_…`. */
  readonly secret: string | readonly string[];
  readonly headers: WebhookHeaders;
  /** As it came, before any parsing: another order of its fields has another signature. */
  readonly body: string | Uint8Array;
  /** How old or how far ahead a request may be (default 300). */
  readonly toleranceSeconds?: number;
  readonly now?: () => Date;
}

/** The request does not come from the ledger, or comes too late: answer 400 and do nothing. */
export class WebhookRejected extends Error {
  override readonly name = 'WebhookRejected';
}

const TOLERANCE_SECONDS = 300;
const MS = 1_000;
const VERSION = 'v1,';
const TIMESTAMP = /^\d{1,12}$/;

function headerOf(headers: WebhookHeaders, name: string): string {
  const { get } = headers as { get?: unknown };
  const found = typeof get === 'function' ? (headers as Headers).get(name) : (headers as Record<string, unknown>)[name];
  if (typeof found !== 'string' || found === '') throw new WebhookRejected(`the header ${name} is missing`);
  return found;
}

function keyOf(secret: string): Buffer {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  if (key.length === 0) throw new TypeError('the secret of a webhook endpoint is whsec_ and base64');
  return key;
}

const isSame = (one: Buffer, other: Buffer) => one.length === other.length && timingSafeEqual(one, other);

/** Returns the message if its signature is right and its time near; throws a WebhookRejected otherwise. */
export function verifyWebhook(options: VerifyOptions): WebhookMessage {
  const { secret, headers, body, toleranceSeconds = TOLERANCE_SECONDS, now = () => new Date() } = options;
  const keys = [secret].flat().map(keyOf);
  const id = headerOf(headers, 'webhook-id');
  const timestamp = headerOf(headers, 'webhook-timestamp');
  const given = headerOf(headers, 'webhook-signature').split(' ');
  if (!TIMESTAMP.test(timestamp)) throw new WebhookRejected('the header webhook-timestamp is no number of seconds');
  const apart = Math.abs(now().getTime() / MS - Number(timestamp));
  if (apart > toleranceSeconds) throw new WebhookRejected(`the request is ${Math.round(apart)} s old or ahead`);
  const signatures = given
    .filter((signature) => signature.startsWith(VERSION))
    .map((signature) => Buffer.from(signature.slice(VERSION.length), 'base64'));
  const bytes = Buffer.from(body as Uint8Array);
  const isRight = keys.some((key) => {
    const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(bytes).digest();
    return signatures.some((signature) => isSame(signature, expected));
  });
  if (!isRight) throw new WebhookRejected('no signature is right');
  return JSON.parse(bytes.toString('utf8')) as WebhookMessage;
}
