import { setMaxListeners } from 'node:events';
import { createSeededRandom } from '#tools/shared/seeded-random.js';
import { type Finding, findingsOf } from './checks/finding.js';
import { logIn } from './clients/account-requests.js';
import { Client } from './clients/client.js';
import { changeAccount } from './clients/correction-requests.js';
import { KnownAccount } from './clients/known-account.js';
import { Sender } from './clients/sender.js';
import { createUser, pay, readUser } from './clients/user-requests.js';
import type { ClusterProcess, ProcessName } from './cluster/cluster.js';
import { type History, type Operation, type StormAccount, wasTriedAgain } from './history.js';

// All faults are over and the clients have their answers, perhaps only because they retried at another API. Now every
// process must do its whole work, at the first try and in time.

export interface FinalCheckOptions {
  readonly apiUrls: readonly string[];
  readonly processes: Readonly<Record<ProcessName, Pick<ClusterProcess, 'duties'>>>;
  readonly history: History;
  readonly stopping: AbortSignal;
  /** Factor by which everything may take longer than usual. */
  readonly patience: number;
}

export interface FinalChecks {
  /** Includes the requests of these checks: their effects must be in the database too. */
  readonly history: History;
  readonly findings: readonly Finding[];
  readonly facts: readonly string[];
}

/** A busy process is faster than this; one that waits for a lost message never answers. */
const ANSWERED_WITHIN_MS = 5_000;
const DUTY_DONE_WITHIN_MS = 20_000;
/** Retried requests of the storm that each account sends once more. */
const REPEATED_REQUESTS = 20;
/** Above the numbers of the storm's clients, so names stay unique. */
const FIRST_CLIENT = 1_000;
const PAYMENT = 1;

export async function runFinalChecks(options: FinalCheckOptions): Promise<FinalChecks> {
  const { apiUrls, history, patience } = options;
  const visits = apiUrls.flatMap((apiUrl) => history.accounts.map((account) => ({ apiUrl, account })));
  const visiting = visits.map((visit, index) => visitApi({ ...visit, history, number: FIRST_CLIENT + index }));
  const [undone, visited] = await Promise.all([undoneDuties(options), Promise.all(visiting)]);
  const own = visited.flatMap((visit) => visit.own);
  const all = [...own, ...visited.flatMap((visit) => visit.repeated)];
  const slowest = Math.max(...all.map(tookMs));
  return {
    history: { ...history, operations: [...history.operations, ...own] },
    findings: [
      ...findingsOf(
        'at the end every API serves every account at the first try',
        all.flatMap((operation) => faultOf(operation, patience)),
      ),
      ...findingsOf('at the end every process does its work', undone),
    ],
    facts: [
      `at the end each account called each API: ${all.length} requests, the slowest took ${Math.round(slowest)} ms`,
    ],
  };
}

interface Visit {
  readonly apiUrl: string;
  readonly account: StormAccount;
  readonly history: History;
  /** The client's number. */
  readonly number: number;
}

interface Visited {
  readonly own: readonly Operation[];
  /** Copies of operations of the storm, with the answers to sending them once more. */
  readonly repeated: readonly Operation[];
}

/** Logs in, writes, reads, and repeats requests that needed retries: none of their keys may stay busy. */
async function visitApi({ apiUrl, account, history, number }: Visit): Promise<Visited> {
  const own: Operation[] = [];
  const progress = { requests: 0, answered: 0, retries: 0, effects: 0 };
  // No request is sent twice at random.
  const chance = { ...createSeededRandom(number), happens: () => false };
  const sender = new Sender({ apiUrls: [apiUrl], chance, finishing: AbortSignal.abort(), progress });
  const parts = { number, otherAccounts: [], chance, sender, progress, operations: own };
  const token = await logIn(new Client({ ...parts, known: new KnownAccount(account, '') }), account);
  if (token === undefined) return { own, repeated: [] };
  const known = new KnownAccount(account, token);
  await writeAndRead(new Client({ ...parts, known }));
  const repeated: Operation[] = [];
  for (const operation of triedAgain(account, history)) {
    const copy = { ...operation, tries: [], answers: [], calledAt: performance.now(), answeredAt: undefined };
    await sender.send(copy, token);
    repeated.push(copy);
    operation.tries.push(...copy.tries);
    operation.answers.push(...copy.answers);
  }
  return { own, repeated };
}

async function writeAndRead(client: Client): Promise<void> {
  const { known } = client;
  if (known.account.role === 'admin') return changeAccount(client, known);
  const bettor = await createUser(client);
  if (bettor === undefined) return;
  await pay(client, 'fund', PAYMENT, bettor);
  await readUser(client);
}

/** The latest ones that needed retries. */
function triedAgain({ email }: StormAccount, { operations }: History): readonly Operation[] {
  return operations
    .filter(({ account, key, kind }) => account.email === email && key !== undefined && kind !== 'reused-key')
    .filter((operation) => operation.answers.length > 0 && wasTriedAgain(operation))
    .slice(-REPEATED_REQUESTS);
}

const tookMs = ({ calledAt, answeredAt = performance.now() }: Operation): number => answeredAt - calledAt;

function faultOf(operation: Operation, patience: number): string[] {
  const { tries, account, client, kind, request } = operation;
  if (tries.length === 1 && tookMs(operation) <= ANSWERED_WITHIN_MS * patience) return [];
  const name = `${account.name}, client ${client}: ${kind} (${request.method} ${request.path})`;
  return [`${name} took ${Math.round(tookMs(operation))} ms; statuses of its tries: ${tries.join(', ')}`];
}

async function undoneDuties({ processes, stopping, patience }: FinalCheckOptions): Promise<readonly string[]> {
  const withinMs = DUTY_DONE_WITHIN_MS * patience;
  const inTime = AbortSignal.any([stopping, AbortSignal.timeout(withinMs)]);
  // Every duty listens.
  setMaxListeners(0, inTime);
  const waits = Object.entries(processes).flatMap(([name, { duties }]) =>
    [...duties].map(async ([duty, isDone]) => {
      try {
        await isDone(inTime);
        return [];
      } catch {
        return [`${name} did not do this within ${withinMs / 1_000} s: ${duty}`];
      }
    }),
  );
  return (await Promise.all(waits)).flat();
}
