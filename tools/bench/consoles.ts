import { once, setMaxListeners } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import bcrypt from 'bcrypt';
import { type Bench, isWanted, runLoad } from './bench.js';
import type { BenchDatabase } from './database.js';
import { goalOf } from './goals.js';
import { ProcessMeter } from './process-meter.js';
import { mean, recordComparison } from './record-figures.js';
import { printComparisonHead } from './report.js';
import { seedAccounts } from './seed.js';
import { ACCOUNTS } from './seeded-data.js';
import type { Server } from './services.js';

// What open consoles cost the callers of the API. Browsers would be the load themselves, so this asks the console's server
// for what pages ask while events keep coming: the same streams, and the same requests at the pace of their resources.

const SCENARIO = 'consoles';
const CONSOLES = 20;
const CONNECTIONS = 64;
const ROUNDS = 4;
/** Longer than the longest pause between two loads of a page. */
const LEAST_SECONDS = 10;
const PASSWORD = 'a password of the bench';
const COST = 4;
const HOST = '127.0.0.1';

/** What a page loads again together, and how often while events keep coming. */
interface Loads {
  readonly everyMs: number;
  readonly paths: readonly string[];
  /** The answers are one moment when nothing happened between them to what this filter names. */
  readonly subject?: string;
}

interface OpenPage {
  readonly streams: readonly string[];
  readonly loads: readonly Loads[];
}

const EVENTS = '/events/stream?conflate_ms=1000';

/** Each console looks at another user and another wager. */
const PAGES: readonly ((place: number) => OpenPage)[] = [
  () => ({
    streams: [EVENTS],
    loads: [
      { everyMs: 10_000, paths: ['/bets/open-bets?per_page=1'] },
      { everyMs: 10_000, paths: [`/reconciliation?date=${new Date().toISOString().slice(0, 10)}`] },
      { everyMs: 10_000, paths: ['/account/health'] },
    ],
  }),
  (place) => ({
    streams: [EVENTS, `/wagers/w${place}/book/stream?depth=25&conflate_ms=100`],
    loads: [
      {
        everyMs: 2_000,
        paths: [`/wagers/w${place}`, `/wagers/w${place}/book?depth=1`],
        subject: `wager_reference=w${place}`,
      },
      {
        everyMs: 4_000,
        paths: [`/bets/history?wager_references=w${place}&per_page=20&cursor=&sort_by=created_at&sort_direction=desc`],
      },
    ],
  }),
  (place) => ({
    streams: [EVENTS],
    loads: [
      {
        everyMs: 4_000,
        paths: [
          `/account/user/u${place}/reference`,
          `/account/user/${place}/positions?per_page=25&cursor=`,
          `/bets/open-bets?requesting_user_ids=${place}&per_page=20&cursor=`,
          `/account/user/u${place}/statement?limit=1000`,
        ],
        subject: `user_id=${place}`,
      },
    ],
  }),
  () => ({ streams: [EVENTS], loads: [] }),
];

interface Session {
  readonly port: number;
  readonly cookie: string;
  readonly agent: Agent;
}

async function send({ port, cookie, agent }: Session, path: string, signal: AbortSignal): Promise<IncomingMessage> {
  const sent = request({ host: HOST, port, path: `/api${path}`, headers: { Cookie: cookie }, agent, signal }).end();
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  answer.resume();
  if (answer.statusCode !== 200) throw new Error(`${path} was answered ${answer.statusCode}.`);
  return answer;
}

async function get(session: Session, path: string, signal: AbortSignal): Promise<string> {
  const answer = await send(session, path, signal);
  await once(answer, 'end');
  return String(answer.headers['ledger-as-of']);
}

async function loadAgain(session: Session, { paths, subject }: Loads, signal: AbortSignal): Promise<void> {
  const positions = new Set(await Promise.all(paths.map((path) => get(session, path, signal))));
  if (subject === undefined || positions.size === 1) return;
  const checks = [...positions].map((after) => get(session, `/events?${subject}&after=${after}&limit=1`, signal));
  await Promise.all(checks);
}

/** Follows and loads like an open page until the signal aborts. */
async function openPage(session: Session, { streams, loads }: OpenPage, signal: AbortSignal): Promise<void> {
  const following = streams.map(async (path) => once(await send(session, path, signal), 'close'));
  const loading = loads.map(async (load) => {
    await delay(Math.random() * load.everyMs, undefined, { signal });
    for (;;) {
      const begunAt = performance.now();
      await loadAgain(session, load, signal);
      await delay(Math.max(0, load.everyMs - (performance.now() - begunAt)), undefined, { signal });
    }
  });
  await Promise.all([...following, ...loading]);
}

async function logIn({ port }: Server, agent: Agent): Promise<Session> {
  const answer = await fetch(`http://${HOST}:${port}/session`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email: 'bench1@example.com', password: PASSWORD }),
  });
  if (!answer.ok) throw new Error(`The log-in was answered ${answer.status}: ${await answer.text()}`);
  const cookie = answer.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  return { port, cookie, agent };
}

const setPassword = (database: BenchDatabase): Promise<unknown> =>
  database.query('UPDATE accounts SET password_hash = $1 WHERE id = 1', [bcrypt.hashSync(PASSWORD, COST)]);

/** Opens all consoles; the returned function closes them, and fails when one of them has failed. */
function openConsoles(sessions: readonly Session[]): () => Promise<void> {
  const stopping = new AbortController();
  setMaxListeners(0, stopping.signal);
  const open = sessions.map((session, index) => {
    const page = PAGES[index % PAGES.length]?.(index + 1);
    return page === undefined ? Promise.resolve() : openPage(session, page, stopping.signal);
  });
  const ended = Promise.all(open).catch((error: unknown) => (stopping.signal.aborted ? undefined : error));
  return async () => {
    stopping.abort();
    const failure = await ended;
    if (failure !== undefined) throw failure;
  };
}

/** Offers of ten accounts, one of which has the consoles; then offers of that account alone. */
export async function measureConsoles(bench: Bench): Promise<void> {
  if (!isWanted(bench.options, SCENARIO)) return;
  const { services } = bench;
  const database = await services.createDatabase('consoles');
  const accounts = await seedAccounts(database);
  await setPassword(database);
  const api = await services.startApi(database);
  const dashboard = await services.startDashboard(database, api);
  const agent = new Agent({ keepAlive: true });
  const sessions: Session[] = [];
  while (sessions.length < CONSOLES) sessions.push(await logIn(dashboard, agent));
  printComparisonHead(bench.print);
  const seconds = Math.max(LEAST_SECONDS, bench.options.seconds);
  const meter = new ProcessMeter(dashboard.pid);
  for (const busy of [ACCOUNTS, 1]) {
    const workload = { kind: 'make', accounts: accounts.slice(0, busy) } as const;
    const load = () => runLoad(bench, { port: api.port, connections: CONNECTIONS, workload, seconds });
    const [alone, beside, complaints, shares] = [[] as number[], [] as number[], [] as string[], [] as number[]];
    for (let round = 0; round < ROUNDS; round += 1) {
      alone.push((await load()).all.rate);
      const close = openConsoles(sessions);
      const [cpuBefore, begunAt] = [meter.cpuMs() ?? 0, performance.now()];
      const measured = await load();
      shares.push(((meter.cpuMs() ?? 0) - cpuBefore) / (performance.now() - begunAt));
      await close();
      beside.push(measured.all.rate);
      complaints.push(...measured.complaints);
    }
    const ratio = mean(beside) / mean(alone);
    recordComparison(bench, {
      ...{ scenario: SCENARIO, what: `make-offer of ${busy} accounts beside ${CONSOLES} consoles`, unit: 'offers/s' },
      ...{ value: mean(beside), beside: mean(alone), ratio, complaints },
      note: `the consoles' server took ${(100 * mean(shares)).toFixed(1)}% of a processor`,
      goals: busy === ACCOUNTS ? [goalOf('consoles', ratio)] : [],
    });
  }
  meter.stop();
  agent.destroy();
  await dashboard.stop();
  await api.stop();
}
