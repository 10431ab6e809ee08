import { logHeadOf, noteAsOf } from '#events/event-position.js';
import { type AccountTables, Prisma, type Tx } from '#platform/database/database.js';
import { preparedAs } from '#platform/database/server.js';
import { queryRows } from '#platform/database/statements.js';
import { type Bettor, MAX_META_FIELDS, type NewUser, type UserChanges, type UserKey } from './user.js';

export const userColumns = Prisma.sql`u.account_id AS "accountId", u.id, u.reference, u.name, u.role, u.preferences, u.meta,
  b.balance, b.exposure, b.disputed_since IS NOT NULL AS "isDisputed", u.created_at AS "createdAt", u.updated_at AS "updatedAt"`;

function isUser(key: UserKey): Prisma.Sql {
  return 'id' in key ? Prisma.sql`u.id = ${key.id}` : Prisma.sql`u.reference = ${key.reference}`;
}

/** A value for a jsonb column: SQL's NULL for none, not the JSON literal null. */
function jsonb(value: object | null): Prisma.Sql {
  return value === null ? Prisma.sql`NULL::jsonb` : Prisma.sql`${JSON.stringify(value)}::jsonb`;
}

export type CreatedUser = Pick<Bettor, 'id' | 'reference' | 'createdAt'>;

/** Inserts the user and its balance in one statement; undefined when the reference is taken. */
export async function insertUser(
  tables: AccountTables | Tx,
  accountId: bigint,
  { name, reference, preferences, meta }: NewUser & { readonly reference: string },
): Promise<CreatedUser | undefined> {
  const rows = await queryRows<CreatedUser>(
    tables,
    Prisma.sql`
    WITH created AS (
      INSERT INTO users (account_id, reference, name, preferences, meta)
      VALUES (${accountId}, ${reference}, ${name}, ${jsonb(preferences)}, ${jsonb(meta)})
      ON CONFLICT (account_id, reference) DO NOTHING
      RETURNING account_id, id, reference, created_at
    ), with_balance AS (
      INSERT INTO balances (account_id, user_id) SELECT account_id, id FROM created
    )
    SELECT id, reference, created_at AS "createdAt" FROM created`,
  );
  return rows[0];
}

export async function findUser(
  tables: AccountTables | Tx,
  accountId: bigint,
  key: UserKey,
): Promise<Bettor | undefined> {
  const [row] = await queryRows<Bettor & { readonly logHead: string | null }>(
    tables,
    Prisma.sql`${preparedAs('id' in key ? 'user by id' : 'user by reference')}
    SELECT ${userColumns}, ${logHeadOf(accountId)} AS "logHead"
      FROM users u JOIN balances b ON b.account_id = u.account_id AND b.user_id = u.id
     WHERE u.account_id = ${accountId} AND ${isUser(key)}`,
  );
  if (row === undefined) return undefined;
  const { logHead: head, ...user } = row;
  noteAsOf(tables, { accountId, head });
  return user;
}

export type ChangedUser = Pick<Bettor, 'id' | 'reference' | 'name' | 'preferences' | 'meta' | 'updatedAt'>;

/**
 * One statement merges meta on the locked row, so that parallel changes of different keys all survive. Undefined when
 * the user is unknown or the merged meta would be too large.
 */
export async function updateUser(
  tables: AccountTables | Tx,
  accountId: bigint,
  key: UserKey,
  { name, preferences, meta }: UserChanges,
): Promise<ChangedUser | undefined> {
  const merged = Prisma.sql`coalesce(u.meta, '{}'::jsonb) || ${JSON.stringify(meta ?? {})}::jsonb`;
  const rows = await queryRows<ChangedUser>(
    tables,
    Prisma.sql`
    UPDATE users u SET
           name = ${name === undefined ? Prisma.sql`u.name` : Prisma.sql`${name}`},
           preferences = ${preferences === undefined ? Prisma.sql`u.preferences` : jsonb(preferences)},
           meta = ${meta === undefined ? Prisma.sql`u.meta` : merged},
           updated_at = now()
     WHERE u.account_id = ${accountId} AND ${isUser(key)}
       AND ${meta === undefined ? Prisma.sql`TRUE` : Prisma.sql`(SELECT count(*) FROM jsonb_object_keys(${merged})) <= ${MAX_META_FIELDS}`}
    RETURNING u.id, u.reference, u.name, u.preferences, u.meta, u.updated_at AS "updatedAt"`,
  );
  return rows[0];
}
