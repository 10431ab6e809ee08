import type { AccountTables, Database } from '#platform/database/database.js';
import type { SecretBox } from './secret-box.js';
import type { EndpointKey, StoredSecrets } from './webhook-endpoint.js';

const AT_ONCE = 1_000;

export interface Resealing {
  /** Endpoints of which a secret was encrypted anew. */
  readonly resealed: number;
  /** Endpoints of which a secret needs a key that this process does not have. */
  readonly unreadable: number;
}

/** Encrypts with the present key what another key has encrypted, so that the provider can drop the old one. */
export async function resealSecrets(database: Database, box: SecretBox): Promise<Resealing> {
  const parts = await database.inAll((tables) => resealIn(tables, box));
  return parts.reduce(sumOf, { resealed: 0, unreadable: 0 });
}

const sumOf = (sum: Resealing, part: Resealing): Resealing => ({
  resealed: sum.resealed + part.resealed,
  unreadable: sum.unreadable + part.unreadable,
});

async function resealIn(tables: AccountTables, box: SecretBox): Promise<Resealing> {
  let sum: Resealing = { resealed: 0, unreadable: 0 };
  let after: EndpointKey | undefined = { accountId: 0n, id: 0n };
  while (after !== undefined) {
    const rows = await findOlder(tables, box, after);
    for (const row of rows) sum = sumOf(sum, await reseal(tables, box, row));
    after = rows.length < AT_ONCE ? undefined : rows.at(-1);
  }
  return sum;
}

type OlderSecrets = EndpointKey & Pick<StoredSecrets, 'secretNow' | 'secretBefore'>;

/** A secret that signs no more may stay as it is. */
function findOlder(tables: AccountTables, { keyId }: SecretBox, after: EndpointKey): Promise<OlderSecrets[]> {
  const prefix = `${keyId}:%`;
  return tables.$queryRaw<OlderSecrets[]>`
    SELECT * FROM (
      SELECT account_id AS "accountId", id, secret_now AS "secretNow",
             CASE WHEN secret_before_until > now() THEN secret_before END AS "secretBefore"
        FROM webhook_endpoints WHERE (account_id, id) > (${after.accountId}, ${after.id})) living
     WHERE "secretNow" NOT LIKE ${prefix} OR "secretBefore" NOT LIKE ${prefix}
     ORDER BY "accountId", id LIMIT ${AT_ONCE}`;
}

/** Each secret by itself: the one before may need a key that is lost. */
async function reseal(tables: AccountTables, box: SecretBox, row: OlderSecrets): Promise<Resealing> {
  const { accountId, id, secretNow, secretBefore } = row;
  const stored = [secretNow, ...(secretBefore === null ? [] : [secretBefore])];
  const opened = stored.map((each) => box.open(accountId, each));
  const unreadable = opened.includes(undefined) ? 1 : 0;
  if (opened.every((secret) => secret === undefined)) return { resealed: 0, unreadable };
  const [now = secretNow, before = null] = opened.map((secret) => secret && box.seal(accountId, secret));
  // A rotation meanwhile has stored other secrets.
  const resealed = await tables.$executeRaw`
    UPDATE webhook_endpoints SET secret_now = ${now}, secret_before = coalesce(${before}, secret_before)
     WHERE account_id = ${accountId} AND id = ${id} AND secret_now = ${secretNow}`;
  return { resealed, unreadable };
}
