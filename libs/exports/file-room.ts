import type { AccountTables, Database } from '#platform/database/database.js';
import { Holders } from '#platform/quotas/quota-use.js';
import { quotas } from '#platform/quotas/quotas.js';

interface KeptFiles {
  readonly accountId: bigint;
  readonly bytes: number;
}

const keptFiles = (tables: AccountTables): Promise<KeptFiles[]> =>
  tables.$queryRaw<KeptFiles[]>`
    SELECT account_id AS "accountId", sum(bytes)::float8 AS bytes FROM exports
     WHERE state = 'done' AND expires_at > now() GROUP BY account_id`;

/** How many bytes the next file of an account may have, beside those that have not expired. */
export async function roomForFile(database: Database, accountId: bigint): Promise<number> {
  const kept = (await database.inAll(keptFiles)).flat();
  const ids = [...kept.map((one) => one.accountId), accountId];
  const accounts = await database.shared.$queryRaw<{ id: bigint; registeredFrom: string | null }[]>`
    SELECT id, registered_from AS "registeredFrom" FROM accounts WHERE id = ANY (${ids}::bigint[])`;
  const networks = new Map(accounts.map(({ id, registeredFrom }) => [id, registeredFrom]));
  const holderOf = (id: bigint) => ({ accountId: id, registeredFrom: networks.get(id) ?? null });
  const holders = new Holders(quotas['export-bytes']);
  for (const { accountId: id, bytes } of kept) holders.add(holderOf(id), bytes);
  return holders.roomFor(holderOf(accountId));
}
