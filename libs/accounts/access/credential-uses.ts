import { type Database, Prisma } from '#platform/database/database.js';
import type { Logger } from '#platform/logging/logger.js';
import { createLateWrites } from '#platform/process/late-writes.js';

/** One of the two ids is that of the credential. */
export interface UsedCredential {
  readonly accountId: bigint;
  readonly tokenId: bigint | undefined;
  readonly apiKeyId: bigint | undefined;
}

export interface CredentialUses {
  /** Called when a credential was verified, which a busy one is once a minute. */
  note(used: UsedCredential): void;
  /** Writes what was noted. */
  close(): Promise<void>;
}

export interface CredentialUsesOptions {
  readonly database: Database;
  readonly logger: Logger;
  readonly now: () => Date;
  readonly delayMs?: number;
}

const DELAY_MS = 1_000;
/** A later process writes nothing while the stored use is younger than this. */
const FRESH_SECONDS = 30;
/** Uses beyond this are noted when the credential is verified again. */
const MAX_WAITING = 10_000;

interface Use {
  readonly accountId: bigint;
  readonly id: bigint;
}

const kinds = { sessions: Prisma.sql`access_tokens`, apiKeys: Prisma.sql`api_keys` };
type Kind = keyof typeof kinds;

/**
 * Stores when sessions and API keys were last used, without a write for each request: one statement a second at most for
 * all credentials that a process has verified since. It waits for no lock, and its rows' triggers empty no cache.
 */
export function createCredentialUses(options: CredentialUsesOptions): CredentialUses {
  const { database, logger, now, delayMs = DELAY_MS } = options;
  let waiting: Record<Kind, Map<string, Use>> = { sessions: new Map(), apiKeys: new Map() };
  const late = createLateWrites(delayMs, write);

  async function write(): Promise<void> {
    const { sessions, apiKeys } = waiting;
    waiting = { sessions: new Map(), apiKeys: new Map() };
    try {
      await store('sessions', [...sessions.values()]);
      await store('apiKeys', [...apiKeys.values()]);
    } catch (error) {
      logger.warn({ reason: String(error) }, 'last uses of credentials not written');
    }
  }

  async function store(kind: Kind, uses: readonly Use[]): Promise<void> {
    if (uses.length === 0) return;
    const [accountIds, ids, at] = [uses.map(({ accountId }) => accountId), uses.map(({ id }) => id), now()];
    const table = kinds[kind];
    await database.shared.$executeRaw`
      UPDATE ${table} stored SET last_used_at = ${at}
        FROM (SELECT c.account_id, c.id FROM unnest(${accountIds}::bigint[], ${ids}::bigint[]) used (account_id, id)
                JOIN ${table} c ON c.account_id = used.account_id AND c.id = used.id
               WHERE c.last_used_at IS NULL OR c.last_used_at < ${at}::timestamptz - ${FRESH_SECONDS} * interval '1 s'
                 FOR NO KEY UPDATE OF c SKIP LOCKED) free
       WHERE stored.account_id = free.account_id AND stored.id = free.id`;
  }

  return {
    note({ accountId, tokenId, apiKeyId }) {
      const [uses, id] = tokenId === undefined ? [waiting.apiKeys, apiKeyId] : [waiting.sessions, tokenId];
      if (id === undefined || uses.size >= MAX_WAITING) return;
      uses.set(`${accountId} ${id}`, { accountId, id });
      late.soon();
    },
    close: () => late.close(),
  };
}
