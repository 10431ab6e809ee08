import type { components } from '#clients/typescript/client.js';

// The record of the clients: every request, and its answers.

export type Schemas = components['schemas'];
export type Outcome = Schemas['Outcome'];

/**
 * `plain`: small wagers; no corrections. `bulk`: large wagers, which the workers settle. `corrected`: an admin corrects its wagers and bets. `fresh`: registered during the storm, for its mails. `idle`: has no users.
 */
export type AccountRole = 'plain' | 'bulk' | 'corrected' | 'admin' | 'fresh' | 'idle';

export interface StormAccount {
  readonly role: AccountRole;
  readonly name: string;
  readonly email: string;
  readonly id: number;
}

export type Kind =
  | 'make-offer'
  | 'accept-offer'
  | 'cancel-offer'
  | 'batch'
  | 'decide'
  | 'suspend'
  | 'resume'
  | 'close'
  | 'schedule'
  | 'override'
  | 'fund'
  | 'withdraw'
  | 'create-user'
  | 'change-user'
  | 'read-user'
  | 'read-users'
  | 'read'
  | 'register'
  | 'log-in'
  | 'resend-verification'
  | 'forgot-password'
  | 'reset-password'
  | 'force-outcome'
  | 'force-override'
  | 'set-active'
  | 'set-inactive'
  | 'change-account'
  /** Asks for a change request, approves one, and ends one without its operation. */
  | 'ask'
  | 'approve'
  | 'end-request'
  /** Names something that belongs to another account. */
  | 'cross-tenant'
  /** Carries the Idempotency-Key of another request. */
  | 'reused-key';

export interface Request {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH';
  readonly path: string;
  readonly body?: object;
}

export interface Answer {
  readonly status: number;
  readonly body: unknown;
  /** Up to which event of the log a read goes. */
  readonly asOf?: string;
}

/** The final answers that are right. */
export type Expected = 'success' | 'success or refusal' | 'success or conflict' | ExpectedAnswer;

export interface ExpectedAnswer {
  readonly status: number;
  /** The text of an error. */
  readonly text?: string;
  /** The number of items of a list. */
  readonly total?: number;
}

export interface Operation {
  readonly client: number;
  /** The account that sends the request. */
  readonly account: StormAccount;
  readonly kind: Kind;
  readonly request: Request;
  /** Each try carries it, and the event log shows it with what the request has done. */
  readonly requestId: string;
  readonly key: string | undefined;
  readonly expected: Expected;
  /** What an approval has the ledger do, as if it were sent directly. */
  readonly approves?: { readonly kind: Kind; readonly data: object } | undefined;
  /** The earliest moment at which it can have taken effect: for a read, the start of the try that was answered. */
  calledAt: number;
  /** When the first final answer arrived; undefined: none did. */
  answeredAt: number | undefined;
  /** The status of each try, in order; 0: no answer, or an incomplete one. */
  readonly tries: number[];
  /** The final answers: one, and one more for each time the client sent the request again after an answer. */
  readonly answers: Answer[];
}

/** What a reader has followed of an account's event log. */
export interface FollowedLog {
  readonly accountId: number;
  readonly name: string;
  /** Whether it asks again and again, lets the API wait for events, or opens streams. */
  readonly way: 'poll' | 'wait' | 'stream';
  /** Of the events that it read, in order. */
  readonly cursors: readonly string[];
  /** Why it could not read to the end. */
  readonly refusal?: string;
}

/** What came to the webhook endpoint of an account. */
export interface WebhookRecord {
  readonly accountId: number;
  readonly name: string;
  readonly mode: WebhookMode;
  readonly endpointId: number;
  /** The cursor of the last event before the endpoint was made. */
  readonly beginning: string;
  readonly requests: readonly WebhookRequest[];
  /** Where a request was not as the standard asks. */
  readonly faults: readonly string[];
}

export type WebhookMode = 'ordered' | 'keyed' | 'doorbell';

export interface WebhookRequest {
  /** Of its event; of a doorbell, of the last event that it rings for. */
  readonly cursor: string;
  /** Of a doorbell: the cursor before the first event that it rings for. */
  readonly from?: string | undefined;
  /** The thing that the event is about: a keyed endpoint gets the events of one thing in order. */
  readonly about: string;
  /** Up to here the receiver has everything when it takes this request, says the request. */
  readonly upTo: string;
  /** Its place among the arrivals and the takings of its endpoint. */
  readonly cameAt: number;
  /** The same of the moment when the receiver took it; undefined: it was refused. */
  takenAt: number | undefined;
}

/** What a tenant that means harm has done, and what it got that it should not. */
export interface Hostility {
  /** Requests whose end can be read in several ways. */
  readonly sent: number;
  /** Connections that asked for much and read nothing. */
  readonly unread: number;
  /** Requests of a bystander at the same time. */
  readonly asked: number;
  readonly findings: readonly string[];
}

export interface History {
  readonly accounts: readonly StormAccount[];
  readonly operations: readonly Operation[];
  readonly logs: readonly FollowedLog[];
  /** They grow until the deliveries have ended, after the clients. */
  readonly webhooks: readonly WebhookRecord[];
  readonly hostility: Hostility;
  /** The time of day at which `calledAt` and `answeredAt` are 0, in milliseconds. */
  readonly epochMs: number;
  /** For how long clients began new operations. */
  readonly seconds: number;
}

export const finalAnswer = ({ answers }: Operation): Answer | undefined => answers[0];

export const isSuccess = (operation: Operation): boolean => {
  const status = finalAnswer(operation)?.status;
  return status !== undefined && status < 300;
};

/** At least one try had no final answer. */
export const wasTriedAgain = ({ tries, answers }: Operation): boolean => tries.length > answers.length;

/** The body of a success; undefined when it was no success. */
export const successOf = <Body>(operation: Operation): Body | undefined =>
  isSuccess(operation) ? (finalAnswer(operation)?.body as Body) : undefined;

/** The text of an error, in either of its shapes. */
export function textOf(body: unknown): string {
  const { message, error } = (body ?? {}) as { message?: unknown; error?: unknown };
  return Array.isArray(message) ? message.join('; ') : String(error ?? message ?? '');
}

/**
 * Whether the answers acknowledge one effect. Some requests take no key: when an answer was lost, the text of the next
 * answer shows that an earlier try took effect.
 */
export function wasDone(operation: Operation): boolean {
  if (isSuccess(operation)) return true;
  if (operation.key !== undefined || operation.tries.length < 2) return false;
  const text = textOf(finalAnswer(operation)?.body);
  return text === doneBefore[operation.kind];
}

const doneBefore: Partial<Record<Operation['kind'], string>> = {
  register: 'Email is already registered',
  'reset-password': 'Current password is incorrect',
};
