import { ACCESS_ENDED } from '#accounts/access/end-access.js';

export const endpointModes = ['ordered', 'keyed', 'doorbell'] as const;
export const endpointStates = ['active', 'failing', 'disabled'] as const;
/** `gone`: it answered 410. `failing`: for 5 days. `requested`: the business disabled it. `access-ended`: all access ended. */
export const disabledReasons = ['gone', 'failing', 'requested', ACCESS_ENDED] as const;

export type EndpointMode = (typeof endpointModes)[number];
export type EndpointState = (typeof endpointStates)[number];
export type DisabledReason = (typeof disabledReasons)[number];

/** An account needs few, and each reads the whole log. */
export const MAX_ENDPOINTS = 10;

export interface EndpointKey {
  readonly accountId: bigint;
  readonly id: bigint;
}

/** Where a business wants its events to be sent. */
export interface WebhookEndpoint extends EndpointKey {
  readonly url: string;
  readonly description: string | null;
  /** As given: types, families such as `offer.*`, or `*`. */
  readonly types: readonly string[];
  readonly mode: EndpointMode;
  readonly state: EndpointState;
  readonly disabledReason: DisabledReason | null;
  /** Every event up to here was delivered, is not wanted, or waits as a delivery. */
  readonly cursorSeq: bigint;
  readonly failingSince: Date | null;
  readonly secretBeforeUntil: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** What signs the requests to an endpoint, encrypted. */
export interface StoredSecrets {
  readonly secretNow: string;
  readonly secretBefore: string | null;
  readonly secretBeforeUntil: Date | null;
}

/** Why a request to an endpoint has failed. The words say nothing of what stands behind an address. */
export const attemptErrors = [
  'timeout',
  'address-refused',
  'unknown-host',
  'not-reachable',
  'tls',
  'broken-answer',
  'status',
] as const;

export type AttemptError = (typeof attemptErrors)[number];

export interface WebhookAttempt {
  readonly id: bigint;
  /** Null: a test. */
  readonly seq: bigint | null;
  readonly at: Date;
  /** Null: no answer came. */
  readonly status: number | null;
  readonly durationMs: number;
  /** Null: it was taken. */
  readonly error: AttemptError | null;
}
