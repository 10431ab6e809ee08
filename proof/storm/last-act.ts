import { createSeededRandom } from '#tools/shared/seeded-random.js';
import { type Finding, findingsOf } from './checks/finding.js';
import { logIn } from './clients/accounts.js';
import { Client } from './clients/client.js';
import { changeAccount } from './clients/corrections.js';
import { House } from './clients/house.js';
import { createUser, pay, readUser } from './clients/money.js';
import { Sender } from './clients/sender.js';
import { type History, type Operation, type StormAccount, wasTriedAgain } from './history.js';
import type { ProcessName, StagedProcess } from './stage/stage.js';

// Everything works again, and the clients have come to their end, perhaps only because they tried again elsewhere. Now
// every process must do all that it is there for: at the first try, and soon.

export interface LastActOptions {
  readonly apiUrls: readonly string[];
  readonly processes: Readonly<Record<ProcessName, Pick<StagedProcess, 'duties'>>>;
  readonly history: History;
  readonly stopping: AbortSignal;
  /** So many times longer than usual everything may take. */
  readonly patience: number;
}

export interface LastAct {
  /** With what was asked here: all of it must be there too. */
  readonly history: History;
  readonly findings: readonly Finding[];
  readonly facts: readonly string[];
}

/** What has lost something for ever takes longer than what is only busy. */
const ANSWERED_WITHIN_MS = 5_000;
const DUTY_WITHIN_MS = 20_000;
/** So many requests of each account that had to be tried again in the storm. */
const ASKED_AGAIN = 20;
/** Clients of the storm have smaller numbers, so no name is given twice. */
const FIRST_CLIENT = 1_000;
const PAYMENT = 1;

export async function playLastAct(options: LastActOptions): Promise<LastAct> {
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
      ...findingsOf('at the end every process does all that it is there for', undone),
    ],
    facts: [
      `at the end each account asked each API: ${all.length} requests, the slowest took ${Math.round(slowest)} ms`,
    ],
  };
}

interface Visit {
  readonly apiUrl: string;
  readonly account: StormAccount;
  readonly history: History;
  /** Of the client. */
  readonly number: number;
}

interface Visited {
  readonly own: readonly Operation[];
  /** Copies of operations of the storm, with what came of sending them once more. */
  readonly repeated: readonly Operation[];
}

/** Logs in, writes, reads, and asks again what was hard to get an answer to: its key must not be taken for busy for ever. */
async function visitApi({ apiUrl, account, history, number }: Visit): Promise<Visited> {
  const own: Operation[] = [];
  const progress = { requests: 0, answered: 0, retries: 0, effects: 0 };
  // Nothing is sent twice by chance.
  const chance = { ...createSeededRandom(number), happens: () => false };
  const sender = new Sender({ apiUrls: [apiUrl], chance, finishing: AbortSignal.abort(), progress });
  const parts = { number, strangers: [], chance, sender, progress, operations: own };
  const token = await logIn(new Client({ ...parts, house: new House(account, '') }), account);
  if (token === undefined) return { own, repeated: [] };
  const house = new House(account, token);
  await writeAndRead(new Client({ ...parts, house }));
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
  const { house } = client;
  if (house.account.role === 'admin') return changeAccount(client, house);
  const bettor = await createUser(client);
  if (bettor === undefined) return;
  await pay(client, 'fund', PAYMENT, bettor);
  await readUser(client);
}

/** The last of them. */
function triedAgain({ email }: StormAccount, { operations }: History): readonly Operation[] {
  return operations
    .filter(({ account, key, kind }) => account.email === email && key !== undefined && kind !== 'reused-key')
    .filter((operation) => operation.answers.length > 0 && wasTriedAgain(operation))
    .slice(-ASKED_AGAIN);
}

const tookMs = ({ calledAt, answeredAt = performance.now() }: Operation): number => answeredAt - calledAt;

function faultOf(operation: Operation, patience: number): string[] {
  const { tries, account, client, kind, request } = operation;
  if (tries.length === 1 && tookMs(operation) <= ANSWERED_WITHIN_MS * patience) return [];
  const text = `${account.name}, client ${client}: ${kind} (${request.method} ${request.path})`;
  return [`${text} took ${Math.round(tookMs(operation))} ms; its tries were answered ${tries.join(', ')}`];
}

async function undoneDuties({ processes, stopping, patience }: LastActOptions): Promise<readonly string[]> {
  const withinMs = DUTY_WITHIN_MS * patience;
  const inTime = AbortSignal.any([stopping, AbortSignal.timeout(withinMs)]);
  const looks = Object.entries(processes).flatMap(([name, { duties }]) =>
    [...duties].map(async ([duty, isDone]) => {
      try {
        await isDone(inTime);
        return [];
      } catch {
        return [`in ${withinMs / 1_000} s nobody saw that ${name} ${duty}`];
      }
    }),
  );
  return (await Promise.all(looks)).flat();
}
