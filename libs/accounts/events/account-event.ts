import type { OperatorId } from '../operators/operator.js';

/** What may happen to an account and its credentials. */
export const accountEventTypes = [
  'registered',
  'email-verified',
  'email-proved',
  'login',
  'login-refused',
  'session-ended',
  'access-ended',
  'password-changed',
  'password-recovered',
  'password-refused',
  'second-factor-added',
  'second-factor-removed',
  'recovery-code-used',
  'api-key-created',
  'api-key-revoked',
  'webhook-created',
  'webhook-changed',
  'webhook-deleted',
  'sandbox-created',
  'sandbox-deleted',
  'operator-invited',
  'operator-joined',
  'operator-changed',
  'operator-deleted',
  'name-changed',
  'preferences-changed',
  'role-changed',
  'status-changed',
  'currency-changed',
  'decimals-changed',
  'admin-read',
  'export-requested',
  'export-downloaded',
  'queue-action',
  'quota-refused',
] as const;

export type AccountEventType = (typeof accountEventTypes)[number];

export const actorTypes = ['account', 'key', 'admin', 'command', 'unknown'] as const;

/** As the database stores it and the API shows it. */
export interface Actor {
  /** `unknown`: a caller without a right credential. */
  readonly type: (typeof actorTypes)[number];
  readonly account_id: number | null;
  readonly api_key_id: number | null;
  /** Who was logged in, or made the key. */
  readonly operator_id: number | null;
  /** Of the operator, of the key or of the command. */
  readonly name: string | null;
}

/** Who caused an event, from where, and with which request. */
export interface Cause {
  readonly actor: Actor;
  readonly address: string | null;
  readonly requestId: string | null;
}

export const UNKNOWN_ACTOR: Actor = {
  type: 'unknown',
  account_id: null,
  api_key_id: null,
  operator_id: null,
  name: null,
};

/** A person of an account: the password, a link or a code has proved it. */
export const actorOfPerson = ({ accountId, operatorId, name }: OperatorId & { readonly name: string }): Actor => ({
  type: 'account',
  account_id: Number(accountId),
  api_key_id: null,
  operator_id: Number(operatorId),
  name,
});

/** An operator's command on the database. */
export const causeOfCommand = (name: string): Cause => ({
  actor: { type: 'command', account_id: null, api_key_id: null, operator_id: null, name },
  address: null,
  requestId: null,
});

export interface NewEvent {
  readonly accountId: bigint;
  readonly type: AccountEventType;
  readonly before?: object;
  readonly after?: object;
}
