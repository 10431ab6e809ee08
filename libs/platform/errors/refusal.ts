import { ofOperation, type RejectionCode } from '#core/rejection.js';

/** The kind of a refusal; libs/http maps each kind to a status in one place. */
export type RefusalKind =
  | 'unauthenticated'
  | 'invalid'
  | 'forbidden'
  | 'not-found'
  | 'conflict'
  | 'gone'
  | 'unprocessable'
  | 'too-many'
  | 'unavailable';

/** Every refusal outside the ledger core, with the text that callers see. */
export const refusals = {
  'email-taken': ['conflict', 'Email is already registered'],
  'current-password-wrong': ['invalid', 'Current password is incorrect'],
  'password-wrong': ['invalid', 'The password is incorrect'],
  'new-passwords-differ': ['invalid', 'New password and confirmation do not match'],
  'passwords-differ': ['invalid', 'Password and confirmation do not match'],
  'password-obvious': [
    'invalid',
    'The password must not be the name of the business, its e-mail address or the name of this service',
  ],
  'password-common': ['invalid', 'The password must not be a common or breached one'],
  'reset-code-invalid': ['invalid', 'Invalid or expired reset token'],
  'verification-token-invalid': ['invalid', 'Invalid or expired verification token'],
  'admins-only': ['forbidden', 'Only admin accounts may do this'],
  'last-admin': ['invalid', 'The last admin account must keep its role'],
  'last-admin-active': ['invalid', 'The last active admin account must not be suspended'],
  'account-suspended': ['forbidden', 'This account is suspended: it may log in, read and end its access, nothing else'],
  'role-forbids': ['forbidden', 'Your role does not allow this'],
  'password-needed': ['invalid', 'This account asks for its password here: send it as password'],
  'login-code-needed': ['unauthenticated', 'Second factor required'],
  'code-needed': ['forbidden', 'Second factor required'],
  'second-factor-required': ['forbidden', 'Second factor required'],
  'proof-stale': ['forbidden', 'Confirm your password'],
  'code-wrong': ['invalid', 'The code is incorrect'],
  'second-factor-active': ['conflict', 'There is a second factor already: remove it first'],
  'second-factor-not-begun': ['conflict', 'No second factor was begun, or another one since: begin again'],
  'second-factor-missing': ['conflict', 'There is no second factor'],
  'second-factor-off': ['unavailable', 'Second factors are not set up on this service'],
  'own-factor-with-code': ['forbidden', 'Remove your own second factor with your password and a code'],
  'own-second-factor-first': ['invalid', 'Add a second factor of your own first'],
  'too-many-api-keys': ['invalid', 'An account may have at most 50 API keys: revoke one first'],
  'api-key-name-taken': ['conflict', 'An API key with this name already exists'],
  'api-key-not-found': ['not-found', 'API key not found'],
  'session-not-found': ['not-found', 'Session not found'],
  'account-not-found': ['not-found', 'Account not found'],
  'operator-email-taken': ['conflict', 'E-mail is taken'],
  'operator-not-found': ['not-found', 'Operator not found'],
  'operator-invited': ['conflict', 'The person has not accepted the invitation yet'],
  'operator-joined': ['conflict', 'The person has accepted the invitation already'],
  'last-owner': ['conflict', 'The last owner stays'],
  'too-many-operators': ['invalid', 'An account may have at most 100 people: delete one first'],
  'invitation-invalid': ['invalid', 'Invalid or expired invitation'],
  'too-many-sandboxes': [
    'invalid',
    'A business may have at most 5 sandboxes, with those being deleted: delete one first',
  ],
  'sandbox-of-sandbox': ['invalid', 'A sandbox cannot have sandboxes: call with a key of the business'],
  'sandbox-as-admin': ['invalid', 'A sandbox cannot be an admin'],
  'sandbox-not-found': ['not-found', 'Sandbox not found'],
  'sandbox-deleted': ['gone', 'The sandbox is deleted'],
  'not-a-sandbox': ['invalid', 'Only a sandbox has a clock of its own: make one with POST /account/sandboxes'],
  'clock-backward': [
    'invalid',
    'The clock of a sandbox only goes forward: now must be later than the time of the sandbox',
  ],
  'clock-too-far': ['invalid', 'The clock of a sandbox may be at most 3650 days ahead'],
  'money-begun': [
    'conflict',
    'currency and decimals can be set only before the first offer or transaction of the account',
  ],
  'user-not-found': ['not-found', 'User not found'],
  'user-reference-taken': ['conflict', 'A user with this reference already exists'],
  'bet-not-found': ['not-found', 'Bet not found'],
  'wager-not-found': ['not-found', 'Wager not found'],
  'transaction-not-found': ['not-found', 'Transaction not found'],
  'event-not-found': ['not-found', 'Event not found'],
  'history-restored': ['conflict', 'cursor unknown: history was restored'],
  'too-many-waiting': ['too-many', 'Too many requests wait for events: try again later'],
  'too-many-streams': ['too-many', 'Too many streams are open: an account may have 20, and 40 with conflate_ms'],
  'books-too-large': ['too-many', 'The books that streams follow have too many open offers: close another one first'],
  'book-too-large': [
    'conflict',
    'The wager has more than 50000 open offers, or they name too many users: read its book instead',
  ],
  'too-many-trails': [
    'invalid',
    'These bets have more than 2000 trail entries: ask for fewer bets, or read their steps in the events',
  ],
  'page-too-deep': ['invalid', 'The page is too deep for a list of several accounts: walk by cursor instead'],
  'statement-too-long': [
    'invalid',
    'The statement has more than 10000 lines or 4 MiB: ask for it by pages, or for an export',
  ],
  'answer-too-large': [
    'invalid',
    'The answer would have more than 4 MiB: ask for fewer rows, with a smaller per_page, or walk by cursor',
  ],
  'export-not-found': ['not-found', 'Export not found'],
  'export-not-done': ['conflict', 'The export is not done yet: it has no file'],
  'export-failed': ['conflict', 'The export has failed: it has no file'],
  'export-expired': ['gone', 'The file of this export has expired: ask for a new export'],
  'too-many-exports': ['too-many', 'An account may have at most 10 exports that are not done: wait for one of them'],
  'preview-not-found': ['not-found', 'Preview not found'],
  'preview-not-done': ['conflict', 'The preview is not done: it has no users'],
  'too-many-previews': ['too-many', 'An account may have at most 3 previews that are not done: wait for one of them'],
  'change-request-not-found': ['not-found', 'Change request not found'],
  'own-change-request': ['forbidden', 'You cannot approve your own request'],
  'people-approve': ['forbidden', 'Only a person who has logged in may approve or reject'],
  'other-side-approves': ['forbidden', 'This approval is not yours to give: it must come from the other side'],
  'not-the-maker': ['forbidden', 'Only its maker may withdraw a change request'],
  'change-request-pending': ['conflict', 'Another change request of this target is pending'],
  'change-request-decided': ['conflict', 'The change request is decided'],
  'change-request-expired': ['conflict', 'The change request has expired'],
  'wager-changed': ['conflict', 'The wager has changed'],
  'too-large-to-approve': ['conflict', 'The operation moves more than 100000 bets: it cannot wait for an approval'],
  'approval-required': ['invalid', 'Approval required: send it alone'],
  'two-people-needed': ['conflict', 'Two people are needed while approvals are on'],
  'approvals-need-two': ['invalid', 'Approvals need two active people who may approve'],
  'webhook-endpoint-not-found': ['not-found', 'Webhook endpoint not found'],
  'too-many-webhook-endpoints': ['conflict', 'An account may have at most 10 webhook endpoints: delete one first'],
  'webhook-test-failed': ['invalid', 'The test of the webhook endpoint failed: it stays as it is'],
  'too-many-webhook-tests': ['too-many', 'Too many tests of webhook endpoints are running: try again later'],
  'webhooks-off': ['unavailable', 'Webhooks are not set up on this service'],
  'meta-too-large': ['invalid', 'meta must not have more than 10 fields'],
  'key-reused': ['unprocessable', 'This Idempotency-Key was used with another request'],
  'key-in-use': ['conflict', 'The first request with this Idempotency-Key is still running'],
  'rate-limited': ['too-many', 'Too many requests: try again later'],
  overloaded: ['unavailable', 'Too much is waiting: try again'],
  'outcome-unknown': ['unavailable', 'It is not known whether this was done: look before trying again'],
  'database-unavailable': ['unavailable', 'The service is temporarily unavailable'],
} as const satisfies Record<string, readonly [RefusalKind, string]>;

export type RefusalCode = keyof typeof refusals;

export interface RefusalOptions {
  /** When a retry makes sense; becomes the Retry-After header. */
  readonly retryAfterSeconds?: number;
  /** Further fields of the answer. */
  readonly details?: Readonly<Record<string, unknown>>;
  readonly operationId?: string | undefined;
}

/** A refusal with a text that callers see. It is thrown because only a throw rolls back. */
export abstract class KnownRefusal extends Error {
  abstract readonly code: RefusalCode | RejectionCode;
  /** The operation of a batch that is refused. */
  readonly operationId: string | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(
    readonly kind: RefusalKind,
    text: string,
    { retryAfterSeconds, details = {}, operationId }: RefusalOptions = {},
  ) {
    super(text);
    this.operationId = operationId;
    this.retryAfterSeconds = retryAfterSeconds;
    this.details = details;
  }
}

/** A caller's mistake, or a state that forbids the request, outside the ledger core. */
export class Refusal extends KnownRefusal {
  override readonly name = 'Refusal';

  constructor(
    readonly code: RefusalCode,
    options?: RefusalOptions,
  ) {
    const [kind, text] = refusals[code];
    super(kind, options?.operationId === undefined ? text : ofOperation(options.operationId, text), options);
  }
}
