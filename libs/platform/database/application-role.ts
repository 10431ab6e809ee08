import type pg from 'pg';
import { StartError } from '../errors/start-error.js';

// The parts connect with a role that owns nothing. It reads and writes rows, so a fault of a part, or whoever has its address,
// cannot drop the triggers that guard history, empty a table, or change a function.

interface Role {
  readonly name: string;
  readonly password: string;
}

function roleIn(address: string): Role {
  const { username, password } = new URL(address);
  if (username === '')
    throw new StartError('DATABASE_URL names no role: give it one beside that of MIGRATE_DATABASE_URL.');
  return { name: decodeURIComponent(username), password: decodeURIComponent(password) };
}

/** Whether the role may do what its owner may: then it guards nothing. */
async function isPowerful(client: pg.Client, name: string): Promise<boolean> {
  const { rows } = await client.query<{ powerful: boolean }>(
    `SELECT rolsuper OR rolcreaterole OR pg_has_role(oid, current_user, 'MEMBER') AS powerful
       FROM pg_roles WHERE rolname = $1`,
    [name],
  );
  return rows[0]?.powerful ?? false;
}

async function exists(client: pg.Client, name: string): Promise<boolean> {
  return (await client.query('SELECT FROM pg_roles WHERE rolname = $1', [name])).rows.length > 0;
}

/**
 * Lets the role of `applicationUrl` use the tables that the client's role owns: after each migration, because new tables are
 * its owner's alone. Makes the role where there is none.
 */
export async function grantToApplication(client: pg.Client, applicationUrl: string): Promise<void> {
  const { name, password } = roleIn(applicationUrl);
  const role = client.escapeIdentifier(name);
  if (!(await exists(client, name))) {
    await client.query(`CREATE ROLE ${role} LOGIN PASSWORD ${client.escapeLiteral(password)}`);
  }
  if (await isPowerful(client, name)) {
    throw new StartError(`The role ${name} of DATABASE_URL must not be a superuser, nor own the tables.`);
  }
  await client.query(`
    BEGIN;
    GRANT USAGE ON SCHEMA public TO ${role};
    REVOKE ALL ON ALL TABLES IN SCHEMA public FROM ${role};
    GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO ${role};
    REVOKE INSERT, UPDATE, DELETE ON _prisma_migrations FROM ${role};
    GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO ${role};
    COMMIT`);
}
