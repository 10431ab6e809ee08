import type { Database } from '#platform/database/database.js';
import { inAllPlacements } from '#platform/database/placement.js';
import type { SecretBox } from './secret-box.js';
import type { EndpointKey, StoredSecrets } from './webhook-endpoint.js';

const AT_ONCE = 1_000;

/** Encrypts with the present key what another key has encrypted, so that the operator can drop the old one. */
export async function resealSecrets(database: Database, box: SecretBox): Promise<number> {
  const counts = await inAllPlacements(database, (placement) => resealIn(placement, box));
  return counts.reduce((sum, count) => sum + count, 0);
}

async function resealIn(placement: Database, box: SecretBox): Promise<number> {
  const prefix = `${box.keyId}:%`;
  const rows = await placement.$queryRaw<(EndpointKey & StoredSecrets)[]>`
    SELECT account_id AS "accountId", id, secret_now AS "secretNow", secret_before AS "secretBefore"
      FROM webhook_endpoints
     WHERE secret_now NOT LIKE ${prefix} OR (secret_before NOT LIKE ${prefix}) IS TRUE LIMIT ${AT_ONCE}`;
  let resealed = 0;
  for (const { accountId, id, secretNow, secretBefore } of rows) {
    const open = (stored: string | null) => (stored === null ? null : box.open(accountId, stored));
    const [now, before] = [open(secretNow), open(secretBefore)];
    if (now == null || before === undefined) continue;
    const sealedBefore = before === null ? null : box.seal(accountId, before);
    // A rotation meanwhile has stored other secrets.
    resealed += await placement.$executeRaw`
      UPDATE webhook_endpoints SET secret_now = ${box.seal(accountId, now)}, secret_before = ${sealedBefore}
       WHERE account_id = ${accountId} AND id = ${id} AND secret_now = ${secretNow}
         AND secret_before IS NOT DISTINCT FROM ${secretBefore}`;
  }
  return resealed;
}
