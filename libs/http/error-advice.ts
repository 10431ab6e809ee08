import type { ErrorCode } from './errors.js';

/**
 * Whether to send the same request again. `no`: it is refused again. `after a change`: of what the advice names, with another
 * Idempotency-Key. `later`: after `Retry-After`, or a second. `with its key`: it may have been done.
 */
export type RetryAdvice = 'no' | 'after a change' | 'later' | 'with its key';

type Advice = readonly [retry: RetryAdvice, advice: string];

const no = (advice: string): Advice => ['no', advice];
const later = (advice: string): Advice => ['later', advice];
const changed = (advice: string): Advice => ['after a change', advice];

const CORRECT = no('Correct the request.');
const HTTP = no('Repair the HTTP client or the proxy before it.');
const CHECK_ID = no('Check the id or the reference, and the account of the credential.');
const DECIDED = no('Read the bet or the wager: its state does not allow it.');
const FUND = changed('Fund the user, or ask for a smaller amount.');
const SMALLER = no('Ask for less: fewer rows, a shorter period, or a walk by cursor.');
const PASSWORD = no('Send the right password.');
const AGAIN_BY_MAIL = no('Ask for a new mail.');

/** What the caller of each refusal should do. The compiler requires every code here. */
export const advices: Readonly<Record<ErrorCode, Advice>> = {
  // HTTP
  malformed: no('Correct the fields that `message` names.'),
  'bad-framing': HTTP,
  'body-unreadable': HTTP,
  'path-encoding': no('Percent-encode ids and references in the path.'),
  unauthorized: no('Log in again, or check the API key.'),
  'metrics-private': no('Send `METRICS_TOKEN`.'),
  'route-not-found': no('Check path and method.'),
  'method-not-allowed': no('Use GET.'),
  'not-acceptable': no('Send `Accept: text/event-stream`.'),
  'request-timeout': ['with its key', 'Send the whole request within 30 seconds.'],
  'file-changed': no('Download the file from its beginning.'),
  'too-large': no('Send less, in several requests.'),
  'not-json': no('Send `Content-Type: application/json`.'),
  'not-lines': no('Send `Content-Type: application/x-ndjson`.'),
  'encoding-unsupported': no('Send the body plain, or with gzip, deflate or br.'),
  'charset-unsupported': no('Send UTF-8.'),
  'no-such-part': no('Ask for a part within the file.'),
  'expectation-failed': no('Send no `Expect`, or `100-continue`.'),
  'headers-too-large': no('Shorten address and headers to 16 KiB together.'),
  'internal-error': ['with its key', 'Tell the provider the `X-Request-Id`.'],
  // Accounts and access
  'email-taken': no('Log in, or use another address.'),
  'current-password-wrong': PASSWORD,
  'password-wrong': PASSWORD,
  'new-passwords-differ': CORRECT,
  'passwords-differ': CORRECT,
  'password-obvious': no('Choose another password.'),
  'password-common': no('Choose another password.'),
  'reset-code-invalid': AGAIN_BY_MAIL,
  'verification-token-invalid': AGAIN_BY_MAIL,
  'admins-only': no('Call with an admin account.'),
  'last-admin': changed('Appoint another admin first.'),
  'last-admin-active': changed('Appoint another admin first.'),
  'account-suspended': changed('Ask the provider to end the suspension.'),
  'role-forbids': no('Call with a key of a higher role, or with a bearer token.'),
  'password-needed': no('Send the `password` of the account too.'),
  'too-many-api-keys': changed('Revoke an API key.'),
  'api-key-name-taken': no('Choose another name.'),
  'api-key-not-found': CHECK_ID,
  'session-not-found': CHECK_ID,
  'account-not-found': CHECK_ID,
  'operator-email-taken': no('Invite another address.'),
  'operator-not-found': CHECK_ID,
  'operator-invited': changed('Wait until the person has accepted, or invite again.'),
  'operator-joined': no('The person logs in.'),
  'last-owner': changed('Make another person an owner first.'),
  'too-many-operators': changed('Delete a person.'),
  'invitation-invalid': no('Ask for another invitation.'),
  'too-many-sandboxes': changed('Delete a sandbox.'),
  'sandbox-of-sandbox': no('Call with a key of the business.'),
  'sandbox-as-admin': no('Appoint an account that is no sandbox.'),
  'sandbox-not-found': CHECK_ID,
  'sandbox-deleted': no('Make another sandbox.'),
  'not-a-sandbox': no('Call with the key of a sandbox.'),
  'clock-backward': no('Send a later time.'),
  'clock-too-far': no('Make another sandbox.'),
  'money-begun': no('Register another account for another currency.'),
  // Users, bets and money
  'user-not-found': CHECK_ID,
  'user-reference-taken': no('Read the user of that reference, or choose another one.'),
  'meta-too-large': changed('Remove fields of `meta`.'),
  'bet-not-found': CHECK_ID,
  'wager-not-found': CHECK_ID,
  'transaction-not-found': CHECK_ID,
  'not-defined': no('Send one of the two fields.'),
  'users-differ': no('Send the id or the reference, not both.'),
  'allowed-acceptor-not-found': CHECK_ID,
  'wager-decided': DECIDED,
  'wager-suspended': changed('Wait until the business resumes the wager.'),
  'wager-closed': no('Nothing: a closed wager stays closed. Only a decision follows.'),
  'wager-is-decided': DECIDED,
  'bet-not-requesting': no('Nothing: the offer is no longer open. Look for others.'),
  'bet-not-accepted': DECIDED,
  'bet-canceled': DECIDED,
  'bet-void-due': changed('Wait until the wager has settled.'),
  'bet-inactive': DECIDED,
  'bet-already-active': no('Nothing: it is as you want it.'),
  'bet-already-inactive': no('Nothing: it is as you want it.'),
  'other-requester': no('Check the requesting user.'),
  'own-offer': no('Let another user accept it.'),
  'acceptor-not-allowed': no('Let a user accept that the offer names.'),
  'odds-above-maximum': no('Raise `maximum_odds`, or look for another offer.'),
  'no-matching-offers': changed('Make an offer instead, or wait for one.'),
  'no-cancelable-bets': no('Nothing: no offer matches that is open.'),
  'offer-unfunded': FUND,
  'acceptance-unfunded': FUND,
  'withdrawal-unfunded': FUND,
  'own-reference-taken': no('Read the transaction of that reference, or choose another one.'),
  'balance-disputed': changed('Ask the provider to correct the balance.'),
  'too-many-decimals': no('Round the amount to the decimals of the account.'),
  'part-too-small': no('Take more of the offer.'),
  'winnings-too-large': no('Ask for lower odds or a smaller amount.'),
  'ledger-bound': no('Ask for a smaller amount.'),
  'sandbox-full': no('Delete the sandbox and make another one.'),
  'payments-differ': changed('Tell the operator.'),
  'operation-ids-repeated': no('Give each operation an `operation_id` of its own.'),
  // Events and lists
  'event-not-found': CHECK_ID,
  'history-restored': no('Continue from `head`, and compare your copy.'),
  'too-many-waiting': later('Close other requests that wait for events.'),
  'too-many-streams': later('Close other streams.'),
  'books-too-large': later('Close other streams of books.'),
  'book-too-large': no('Read the book instead of following it.'),
  'too-many-trails': SMALLER,
  'page-too-deep': no('Walk by cursor.'),
  'statement-too-long': SMALLER,
  'answer-too-large': SMALLER,
  // Exports, previews, webhooks
  'export-not-found': CHECK_ID,
  'export-not-done': later('Wait until `state` is `done`.'),
  'export-failed': no('Ask for a new export.'),
  'export-expired': no('Ask for a new export.'),
  'too-many-exports': later('Wait for one of the exports.'),
  'preview-not-found': CHECK_ID,
  'preview-not-done': later('Wait until `state` is `done`.'),
  'too-many-previews': later('Wait for one of the previews.'),

  // Change requests
  'change-request-not-found': CHECK_ID,
  'own-change-request': no('Ask another person.'),
  'people-approve': no('Log in: an API key cannot approve.'),
  'other-side-approves': no('Ask an admin, or a person of the account.'),
  'not-the-maker': no('Reject it, or ask its maker.'),
  'change-request-pending': no('Approve, reject or withdraw the one that `change_request` names.'),
  'change-request-decided': no('Read what became of it.'),
  'change-request-expired': no('Make it again.'),
  'wager-changed': no('Look at `preview`; when it is right, withdraw the request and make it again.'),
  'too-large-to-approve': no('Switch approvals off for it.'),
  'approval-required': no('Send the operation in a request of its own.'),
  'two-people-needed': no('Invite another person who may approve, or switch approvals off.'),
  'approvals-need-two': no('Invite another person.'),
  'webhook-endpoint-not-found': CHECK_ID,
  'too-many-webhook-endpoints': changed('Delete an endpoint.'),
  'webhook-test-failed': changed('Repair the receiver: `test_error` says what was wrong.'),
  'too-many-webhook-tests': later('Wait for the other tests.'),
  'webhooks-off': changed('Ask the provider to set `WEBHOOK_KEY`.'),
  // Keys, limits, outages
  'key-reused': no('Use a new Idempotency-Key for another request.'),
  'key-in-use': later('Wait for the first request, and send the same key.'),
  'rate-limited': later('Send less often, or wait for what still runs.'),
  overloaded: later('Nothing was done.'),
  'outcome-unknown': ['with its key', 'Without a key, look first whether it was done.'],
  'database-unavailable': later('Nothing was done.'),
};
