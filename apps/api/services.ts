import type { Authenticator, Caller } from '#accounts/access/authenticator.js';
import type { SharedPasswords } from '#accounts/access/passwords.js';
import type { AccountsContext } from '#accounts/accounts-context.js';
import type { NotedEvents } from '#accounts/events/noted-events.js';
import type { ImportUsers } from '#accounts/users/import-users.js';
import type { ApprovalsContext } from '#approvals/ask.js';
import type { EventTail } from '#events/event-signals.js';
import type { ExportFiles } from '#exports/export-files.js';
import type { RateLimits } from '#http/limits/rate-limits.js';
import type { RequestLimits } from '#http/limits/request-limits.js';
import type { ServerMetrics } from '#http/metrics/part-metrics.js';
import type { RefusedCalls } from '#http/refused-calls.js';
import type { AllTurns } from '#http/turns.js';
import type { KeysInUse } from '#idempotency/keys-in-use.js';
import type { Ledger } from '#ledger/ledger.js';
import type { Database } from '#platform/database/database.js';
import type { Reads } from '#platform/database/reads.js';
import type { Logger } from '#platform/logging/logger.js';
import type { QuotaUse } from '#platform/quotas/quota-use.js';
import type { StoredBytes } from '#platform/quotas/stored-bytes.js';
import type { SecretBox } from '#webhooks/secret-box.js';
import type { Send, SenderOptions, Sockets } from '#webhooks/sender.js';
import type { Health } from './health.js';
import type { Risk } from './risk.js';
import type { Streams } from './streams/streams.js';

/** For webhook endpoints. The worker sends events; the API sends tests. */
export interface WebhookServices {
  /** Undefined: the service has no key, so there are no webhooks. */
  readonly secretBox: SecretBox | undefined;
  readonly rules: Pick<SenderOptions, 'allowPrivate'>;
  readonly send: Send;
  /** For tests. */
  readonly sockets: Sockets;
}

/** The services that routes use; `startApi` makes them once. */
export interface ApiServices extends AllTurns {
  readonly database: Database;
  /** The database that lists read from. */
  readonly reads: Reads;
  readonly accounts: AccountsContext;
  readonly passwords: SharedPasswords;
  readonly authenticator: Authenticator;
  /** Verifies an Authorization header; throws `Unauthorized` when it proves no caller. */
  prove(authorization: string): Promise<Caller>;
  readonly ledger: Ledger;
  readonly importUsers: ImportUsers;
  readonly approvals: ApprovalsContext;
  /** Tells accounts who read of them, and at which quota they were refused. */
  readonly notedEvents: NotedEvents;
  /** Shows accounts which of their calls were refused. */
  readonly refusedCalls: Pick<RefusedCalls, 'note'>;
  readonly exportFiles: Pick<ExportFiles, 'pathOf'>;
  /** How many bets a decision settles in its own transaction; the worker settles the rest. */
  readonly settlementBound: number;
  /** How long a request waits for its answer. */
  readonly requestDeadlineMs: number;
  readonly keysInUse: KeysInUse;
  readonly limits: RateLimits;
  readonly requestLimits: RequestLimits;
  readonly quotas: QuotaUse;
  readonly storedBytes: StoredBytes;
  /** Waits for new events in the logs of accounts. */
  readonly eventTail: EventTail;
  readonly streams: Streams;
  readonly webhooks: WebhookServices;
  readonly metrics: ServerMetrics;
  readonly logger: Logger;
  /** Of this process, and of what runs behind the requests. */
  readonly health: Health;
  /** What the undecided wagers of accounts can still cost. */
  readonly risk: Risk;
  readonly trustedProxies: number;
  readonly consoleSecret: string | undefined;
}
