import { storageKeyOf } from '../api/session.js';

// A form's Idempotency-Key is made when it opens, and stored while its answer is unknown. So a reload after a lost answer
// sends the same request again, which the API does once.

export type Values = Readonly<Record<string, string>>;

export interface PendingForm {
  readonly key: string;
  readonly values: Values;
}

const KEY_BYTES = 16;

/** Without `crypto.randomUUID`, which browsers have over TLS and on localhost only. */
export function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(KEY_BYTES));
  return `console-${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

export function storePending(name: string, pending: PendingForm): void {
  sessionStorage.setItem(storageKeyOf(name), JSON.stringify(pending));
}

export function readPending(name: string): PendingForm | undefined {
  const text = sessionStorage.getItem(storageKeyOf(name));
  return text === null ? undefined : (JSON.parse(text) as PendingForm);
}

export function dropPending(name: string): void {
  sessionStorage.removeItem(storageKeyOf(name));
}
