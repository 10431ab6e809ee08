import { exec } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { runAudit } from '#audit/audit.js';
import { linesOfDifferences } from '#audit/report.js';
import { connectDatabase } from '#platform/database/database.js';
import { addCitusNode, inDatabase, onNode } from '#tools/services/citus-databases.js';
import { withPostgresClient } from '#tools/services/with-postgres-client.js';
import { AccountClient, sumOf, textOf, underLoad } from './account-client.js';
import type { ProofLedger, Setting } from './ledger-on-citus.js';
import type { KilledNode } from './options.js';

const ACCOUNTS = 12;
const REBALANCE_MS = 240_000;
const POLL_MS = 500;

const run = promisify(exec);

export const openAccounts = (apiUrl: string): Promise<AccountClient[]> =>
  Promise.all(Array.from({ length: ACCOUNTS }, () => AccountClient.open(apiUrl)));

/** The accounts whose rows are on the node. */
export async function accountsOn(databaseUrl: string, host: string, accounts: readonly AccountClient[]) {
  const rows = await withPostgresClient({ connectionString: databaseUrl }, async (client) => {
    const found = await client.query<{ id: string; host: string }>(
      `SELECT id, n.nodename || ':' || n.nodeport AS host
         FROM unnest($1::bigint[]) id
         JOIN pg_dist_placement p ON p.shardid = get_shard_id_for_distribution_column('users', id)
         JOIN pg_dist_node n ON n.groupid = p.groupid`,
      [accounts.map(({ accountId }) => accountId)],
    );
    return found.rows;
  });
  const there = new Set(rows.filter((row) => row.host === host).map(({ id }) => Number(id)));
  return accounts.filter(({ accountId }) => there.has(accountId));
}

export async function killForAWhile({ stop, start }: KilledNode, seconds: number): Promise<void> {
  await pause((seconds * 1_000) / 3);
  await run(stop);
  await pause(seconds * 1_000);
  await run(start);
  await pause((seconds * 1_000) / 3);
}

/** Kills a node under load and brings it back. Returns what is wrong. */
export async function proveOutage(setting: Setting, { databaseUrl }: ProofLedger, accounts: readonly AccountClient[]) {
  const { options, print } = setting;
  const { node, seconds } = options;
  if (node === undefined) return [];
  const away = await accountsOn(databaseUrl, node.host, accounts);
  const others = accounts.filter((account) => !away.includes(account));
  print(`${away.length} accounts are on ${node.host}, ${others.length} on other nodes.`);
  const faults: string[] = [];
  const killed = await underLoad(accounts, () => killForAWhile(node, seconds));
  const seenBy = (group: readonly AccountClient[]) => sumOf(group.flatMap((account) => killed.get(account) ?? []));
  const [onNodeSeen, elsewhere] = [seenBy(away), seenBy(others)];
  print(`On the killed node: ${textOf(onNodeSeen)}.`);
  print(`On the others: ${textOf(elsewhere)}.`);
  if (onNodeSeen.refused === 0) faults.push('no account of the killed node was refused');
  if (elsewhere.refused + elsewhere.unclear > 0) faults.push('accounts on other nodes were not served');
  const after = await underLoad(accounts, () => pause((seconds * 1_000) / 3));
  const healed = sumOf([...after.values()]);
  print(`When it is back: ${textOf(healed)}.`);
  if (healed.refused + healed.unclear > 0) faults.push('accounts were refused when the node was back');
  return [...faults, ...(await findLosses(accounts, databaseUrl))];
}

/** A node joins and takes its share of the shards under load. Returns what is wrong. */
export async function proveRebalance(
  setting: Setting,
  { databaseUrl }: ProofLedger,
  accounts: readonly AccountClient[],
) {
  const { thirdNode: host } = setting.options;
  if (host === undefined) return [];
  const server = inDatabase(onNode(databaseUrl, host), 'postgres');
  await withPostgresClient({ connectionString: server }, (client) =>
    client.query(`CREATE DATABASE ${new URL(databaseUrl).pathname.slice(1)} TEMPLATE template0`),
  );
  await withPostgresClient({ connectionString: onNode(databaseUrl, host) }, (client) =>
    client.query('CREATE EXTENSION citus'),
  );
  const seen = await underLoad(accounts, async () => {
    await addCitusNode(databaseUrl, host);
    await rebalance(databaseUrl);
  });
  setting.print(`While shards moved to ${host}: ${textOf(sumOf([...seen.values()]))}.`);
  const moved = await accountsOn(databaseUrl, host, accounts);
  setting.print(`${moved.length} of ${accounts.length} accounts are on it now.`);
  const after = sumOf([...(await underLoad(accounts, () => pause(5_000))).values()]);
  setting.print(`Afterwards: ${textOf(after)}.`);
  const faults = moved.length === 0 ? ['no account has moved'] : [];
  if (after.refused + after.unclear > 0) faults.push('accounts were refused after the move');
  return [...faults, ...(await findLosses(accounts, databaseUrl))];
}

async function rebalance(databaseUrl: string): Promise<void> {
  await withPostgresClient({ connectionString: databaseUrl }, async (client) => {
    await client.query(`SELECT citus_rebalance_start(shard_transfer_mode => 'force_logical')`);
    const deadline = performance.now() + REBALANCE_MS;
    for (;;) {
      const { rows } = await client.query<{ state: string }>(
        'SELECT state::text FROM citus_rebalance_status() ORDER BY job_id DESC LIMIT 1',
      );
      const state = rows[0]?.state;
      if (state === 'finished') return;
      if (state === 'failed' || performance.now() > deadline) throw new Error(`the rebalance is ${state}`);
      await pause(POLL_MS);
    }
  });
}

async function findLosses(accounts: readonly AccountClient[], databaseUrl: string): Promise<string[]> {
  const losses = (await Promise.all(accounts.map((account) => account.findLosses()))).flat();
  const database = await connectDatabase({ url: databaseUrl, connections: 2, onConnectionError: () => undefined });
  try {
    return [...losses, ...linesOfDifferences((await runAudit(database)).findings)];
  } finally {
    await database.disconnect();
  }
}
