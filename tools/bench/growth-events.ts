import { eventKinds } from '#core/event-kind.js';
import { type Bench, runLoad } from './bench.js';
import type { BenchDatabase } from './database.js';
import type { ListAccount } from './growth-lists.js';
import type { FixedRequest } from './load/plan.js';
import { recordLatencies } from './record-figures.js';
import { vacuumAndCheckpoint } from './seed.js';

const PAGE = 1_000;
/** As of a transaction with many offers. */
const EVENTS_OF_GROUP = 100;
/** The log is longer than the lists: the largest account has ten million events. */
const EVENTS_OF_ROW = 10;

const eventsOf = ({ rows }: ListAccount): number => rows * EVENTS_OF_ROW;

/** Measures a page of events in the middle of logs of several lengths. */
export async function measureEvents(
  bench: Bench,
  { database, port }: { readonly database: BenchDatabase; readonly port: number },
  accounts: readonly ListAccount[],
): Promise<void> {
  for (const account of accounts) await seedEvents(database, account);
  await vacuumAndCheckpoint(database);
  const requests = await Promise.all(accounts.map((account) => middlePage(port, account)));
  const workload = { kind: 'cycle', requests } as const;
  const { seconds } = bench.options;
  const result = await runLoad(bench, { port, connections: 1, workload, seconds, warmUpMs: 500 });
  recordLatencies(bench, {
    ...{ scenario: 'growth-lists', subject: `events, ${PAGE} from the middle`, sizeOf: 'events', result },
    sizes: accounts.map(eventsOf),
    labelOf: String,
    largestGoal: 'eventPage',
  });
}

/** Events of the account's trail entries, each of them several times. */
async function seedEvents(database: BenchDatabase, account: ListAccount): Promise<void> {
  const { firstUserId } = account.account;
  await database.query(`
    BEGIN;
    CREATE TEMPORARY TABLE head ON COMMIT DROP AS
      SELECT h.*, (SELECT min(t.id) FROM bet_trails t WHERE t.account_id = h.account_id) AS first_ref
        FROM event_heads h JOIN users u USING (account_id) WHERE u.id = ${firstUserId};
    INSERT INTO event_groups (account_id, first_seq, last_seq, at, kinds, refs, operations)
      SELECT account_id, last_seq + g * ${EVENTS_OF_GROUP} + 1, last_seq + (g + 1) * ${EVENTS_OF_GROUP}, now(),
             array_fill(${eventKinds['offer.made']}::smallint, ARRAY[${EVENTS_OF_GROUP}]),
             ARRAY(SELECT first_ref + (g::bigint * ${EVENTS_OF_GROUP} + n) % ${account.rows}
                     FROM generate_series(0, ${EVENTS_OF_GROUP - 1}) n),
             '${EVENTS_OF_GROUP} command:bench -'
        FROM head, generate_series(0, ${eventsOf(account) / EVENTS_OF_GROUP - 1}) g;
    UPDATE event_heads h SET last_seq = g.last_seq, last_at = g.at, last_kind = g.kinds[${EVENTS_OF_GROUP}],
           last_ref = g.refs[${EVENTS_OF_GROUP}]
      FROM head JOIN event_groups g ON g.account_id = head.account_id AND g.last_seq = head.last_seq + ${eventsOf(account)}
     WHERE h.account_id = head.account_id;
    COMMIT`);
}

async function middlePage(port: number, account: ListAccount): Promise<FixedRequest> {
  const { authorization } = account.account;
  const address = `http://127.0.0.1:${port}/events/${eventsOf(account) / 2}`;
  const answer = await fetch(address, { headers: { authorization } });
  if (!answer.ok) throw new Error(`an event was answered ${answer.status}`);
  const { data } = (await answer.json()) as { readonly data: { readonly cursor: string } };
  const path = `/events?limit=${PAGE}&after=${data.cursor}`;
  return { label: String(eventsOf(account)), authorization, method: 'GET', path };
}
