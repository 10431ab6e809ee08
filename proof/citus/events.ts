import pg from 'pg';
import { createLedgerClient } from '#clients/typescript/client.js';
import { waitForWork } from '#proof/storm/checks/check-all.js';
import { checkLogs } from '#proof/storm/checks/stored/check-logs.js';
import { checkWebhooks } from '#proof/storm/checks/stored/check-webhooks.js';
import { followByStream } from '#proof/storm/clients/stream-reader.js';
import { WebhookReceivers } from '#proof/storm/clients/webhook-receivers.js';
import type { FollowedLog, WebhookRecord } from '#proof/storm/history.js';
import { createSeededRandom } from '#tools/shared/seeded-random.js';
import { type AccountClient, underLoad } from './account-client.js';
import { accountsOn, killForAWhile } from './faults.js';
import type { ProofLedger, Setting } from './ledger-on-citus.js';

const SEED = 1;
/** A lease that was held when the node was killed ends after half a minute. */
const DELIVERED_WITHIN_MS = 90_000;

/** Follows two accounts of a node by streams and webhooks while it is killed and brought back. Returns what is wrong. */
export async function proveEvents(
  { options, print }: Setting,
  { databaseUrl, apiUrl }: ProofLedger,
  accounts: readonly AccountClient[],
): Promise<string[]> {
  const { node, seconds } = options;
  if (node === undefined) return [];
  const away = await accountsOn(databaseUrl, node.host, accounts);
  const [ordered, keyed] = away;
  const other = accounts.find((account) => !away.includes(account));
  if (ordered === undefined || keyed === undefined || other === undefined) {
    return [`two accounts on ${node.host} are needed, and one elsewhere`];
  }
  const finishing = new AbortController();
  const receivers = new WebhookReceivers({ seed: SEED, finishing: finishing.signal });
  try {
    await receivers.subscribe({ known: ordered.owner, mode: 'ordered', apiUrl });
    await receivers.subscribe({ known: keyed.owner, mode: 'keyed', apiUrl });
    const following = [ordered, keyed].map(({ owner: known }, index) =>
      followByStream({ known, apiUrls: [apiUrl], chance: createSeededRandom(SEED + index), over: finishing.signal }),
    );
    const [logs, lateMs] = await Promise.all([
      Promise.all(following),
      latestOf(other, apiUrl, finishing.signal),
      underLoad([ordered, keyed, other], () => killForAWhile(node, seconds)).finally(() => finishing.abort()),
    ]);
    const late = lateMs === 0 ? [] : [`a stream of an account elsewhere was ${Math.round(lateMs)} ms late`];
    return [...late, ...(await findLosses({ logs, webhooks: receivers.records }, databaseUrl, print))];
  } finally {
    finishing.abort();
    await receivers.close();
  }
}

/** How far a stream of the account said that it was behind, until the signal. */
async function latestOf({ owner: { token } }: AccountClient, baseUrl: string, signal: AbortSignal): Promise<number> {
  let latestMs = 0;
  const onLate = (lateMs: number) => {
    latestMs = Math.max(latestMs, lateMs);
  };
  try {
    for await (const _event of createLedgerClient({ baseUrl, token }).events.follow(
      { from: 'now' },
      { signal, onLate },
    ));
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  return latestMs;
}

interface Followed {
  readonly logs: readonly FollowedLog[];
  readonly webhooks: readonly WebhookRecord[];
}

async function findLosses(followed: Followed, databaseUrl: string, print: Setting['print']): Promise<string[]> {
  const database = new pg.Pool({ connectionString: databaseUrl, max: 1 });
  try {
    const late = await waitForWork(database, DELIVERED_WITHIN_MS);
    const logs = await checkLogs(followed, database);
    const webhooks = await checkWebhooks(followed, database);
    print(
      `Streams read ${logs.followed} events; ${webhooks.taken} webhooks came, ${webhooks.again} of them came again.`,
    );
    return [...late, ...logs.findings, ...webhooks.findings].map(({ check, text }) => `${check}: ${text}`);
  } finally {
    await database.end();
  }
}
