import { asMicros } from '#core/money.js';
import { type AccountTables, Prisma, type Tx } from '#platform/database/database.js';
import { queryRows, scalars } from '#platform/database/statements.js';
import type { PreviewedUser, PreviewKey } from './preview.js';
import { batchesOf, type SummedUser } from './user-sums.js';

// The users of a preview are kept in parts of one page, by their ids: references are long, and the ledger has them.

export const USERS_OF_PAGE = 100;

/** JSON has no bigint. */
type StoredUser = readonly [
  userId: string,
  balance: string,
  balanceAfter: string,
  exposure: string,
  exposureAfter: string,
];

/** Written by hand: a request has 40,000 of them. */
const textOf = ({ userId, balance, balanceAfter, exposure, exposureAfter }: SummedUser): string =>
  `["${userId}","${balance}","${balanceAfter}","${exposure}","${exposureAfter}"]`;

const microsOf = (text: string) => asMicros(BigInt(text));

const userOf = ([userId, balance, balanceAfter, exposure, exposureAfter]: StoredUser): SummedUser => ({
  userId: BigInt(userId),
  balance: microsOf(balance),
  balanceAfter: microsOf(balanceAfter),
  exposure: microsOf(exposure),
  exposureAfter: microsOf(exposureAfter),
});

/** Writes users that follow those of the parts before. Returns the number of the next part. */
export async function insertUsers(
  tx: Tx,
  { accountId, id: previewId }: PreviewKey,
  { users, part }: { readonly users: readonly SummedUser[]; readonly part: number },
): Promise<number> {
  const pages = Array.from(batchesOf(users, USERS_OF_PAGE), (page) => `[${page.map(textOf).join()}]`);
  if (pages.length > 0)
    await tx.$executeRaw`
      INSERT INTO preview_users (account_id, preview_id, part, users)
      SELECT ${accountId}, ${previewId}, ${part}::int + (n - 1), page::jsonb
        FROM unnest(${pages}::text[]) WITH ORDINALITY AS pages (page, n)`;
  return part + pages.length;
}

/** The users of one part; none when there is no such part. */
export async function readPart(
  tables: AccountTables | Tx,
  { accountId, id }: PreviewKey,
  part: number,
): Promise<readonly SummedUser[]> {
  const row = await tables.run((prisma) =>
    prisma.previewUsers.findUnique({
      where: { accountId_previewId_part: { accountId, previewId: id, part } },
      select: { users: true },
    }),
  );
  return row === null ? [] : (row.users as unknown as StoredUser[]).map(userOf);
}

/** What a run that has ended early left behind. */
export async function deleteUsers(tx: Tx, { accountId, id }: PreviewKey): Promise<void> {
  await tx.prisma.previewUsers.deleteMany({ where: { accountId, previewId: id } });
}

/** Names users of a ledger, as it calls them now. */
export async function withReferences(
  tables: AccountTables | Tx,
  ledgerAccountId: bigint,
  users: readonly SummedUser[],
): Promise<readonly PreviewedUser[]> {
  if (users.length === 0) return [];
  const rows = await queryRows<{ id: bigint; reference: string }>(
    tables,
    Prisma.sql`
    SELECT id, reference FROM users
     WHERE account_id = ${ledgerAccountId} AND id = ANY (${scalars(users.map(({ userId }) => userId))}::bigint[])`,
  );
  const references = new Map(rows.map(({ id, reference }) => [id, reference]));
  return users.map((user) => ({ ...user, reference: references.get(user.userId) ?? '' }));
}
