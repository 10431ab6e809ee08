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
  'api-key-created',
  'api-key-revoked',
  'webhook-created',
  'webhook-changed',
  'webhook-deleted',
  'sandbox-created',
  'sandbox-deleted',
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
  /** Of an account its e-mail, of a key or a command its name. */
  readonly name: string | null;
}

/** Who caused an event, from where, and with which request. */
export interface Cause {
  readonly actor: Actor;
  readonly address: string | null;
  readonly requestId: string | null;
}

export const UNKNOWN_ACTOR: Actor = { type: 'unknown', account_id: null, api_key_id: null, name: null };

/** The owner of an account: the password, a link or a code has proved it. */
export const ownerOf = (account: { readonly id: bigint; readonly email: string }): Actor => ({
  type: 'account',
  account_id: Number(account.id),
  api_key_id: null,
  name: account.email,
});

/** An operator's command on the database. */
export const causeOfCommand = (name: string): Cause => ({
  actor: { type: 'command', account_id: null, api_key_id: null, name },
  address: null,
  requestId: null,
});

export interface NewEvent {
  readonly accountId: bigint;
  readonly type: AccountEventType;
  readonly before?: object;
  readonly after?: object;
}
