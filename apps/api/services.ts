import type { Authenticator } from '#accounts/access/authenticator.js';
import type { AccountsContext } from '#accounts/accounts-context.js';
import type { RateLimits } from '#http/limits/rate-limits.js';
import type { RequestLimits } from '#http/limits/request-limits.js';
import type { ServerMetrics } from '#http/metrics/part-metrics.js';
import type { KeysInUse } from '#idempotency/keys-in-use.js';
import type { Ledger } from '#ledger/ledger.js';
import type { Database } from '#platform/database/database.js';
import type { Logger } from '#platform/logging/logger.js';

/** What the routes work with; made once, in main. */
export interface ApiServices {
  readonly database: Database;
  readonly accounts: AccountsContext;
  readonly authenticator: Authenticator;
  readonly ledger: Ledger;
  /** How many bets a decision settles at once. */
  readonly settlementBound: number;
  readonly keysInUse: KeysInUse;
  readonly limits: RateLimits;
  readonly requestLimits: RequestLimits;
  readonly metrics: ServerMetrics;
  /** Runs the reading of a list when it is its turn. */
  readonly inListTurn: <Result>(accountId: bigint, read: () => Promise<Result>) => Promise<Result>;
  readonly logger: Logger;
  /** Whether Redis answers; the service goes on without it, operators want to know. */
  readonly isRedisReady: () => boolean;
  readonly trustedProxies: number;
}
