import { MINUTE_MS } from '#platform/config/time-units.js';
import type { Tx } from '#platform/database/database.js';
import type { Credential } from '../access/caller-guard.js';

/** For so long a log-in, or a password with its code, proves that its person uses the session. */
const PROOF_LIVES_MS = 15 * MINUTE_MS;

/**
 * PostgreSQL's clock dates a proof and says how old it is; from then on the process counts on with `performance.now()`. So no
 * difference between clocks makes a proof older or younger.
 */
export const isFresh = ({ provedAtMs }: { readonly provedAtMs: number }): boolean =>
  performance.now() - provedAtMs <= PROOF_LIVES_MS;

/** A trigger tells every process that caches the caller. */
export async function renewProof(tx: Tx, { accountId, tokenId }: Credential): Promise<void> {
  await tx.$executeRaw`
    UPDATE access_tokens SET proved_at = clock_timestamp() WHERE account_id = ${accountId} AND id = ${tokenId ?? null}::bigint`;
}
