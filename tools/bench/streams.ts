import { once, setMaxListeners } from 'node:events';
import { type ClientRequest, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { createLedgerClient } from '#clients/typescript/client.js';
import { type Bench, isWanted, type LoadOptions, runLoad } from './bench.js';
import { goalOf } from './goals.js';
import type { LoadAccount } from './load/plan.js';
import { ProcessMeter } from './process-meter.js';
import { recordComparison } from './record-figures.js';
import { printComparisonHead } from './report.js';
import { seedAccounts } from './seed.js';
import type { Server } from './services.js';

// Streams of events: what 1,000 idle ones cost, and how soon after its commit an event is in a frame.

const SCENARIO = 'streams';
const ACCOUNTS = 50;
const STREAMS_OF_ACCOUNT = 20;
const USERS = 20;
const OPENED_AT_ONCE = 50;
/** Two bookmarks of each stream. */
const IDLE_MS = 10_000;
/** Long, because V8 tidies the heap once or twice in the first seconds of rest. */
const WATCHED_MS = 30_000;
/** At the first pace the goals apply. At the second, offers, reads and the reader's own work fill two processors. */
const OFFERS_A_SECOND = [100, 300];
const CONNECTIONS = 16;
const WARM_UP_SECONDS = 2;
/** No frame takes so long: an event that is not there by then is lost. */
const PATIENCE_MS = 20_000;
const SHARES = [
  [0.5, 'p50', 'streamP50'],
  [0.99, 'p99', 'streamP99'],
] as const;
const HOST = '127.0.0.1';

export interface LagTarget {
  readonly api: Pick<Server, 'port'>;
  readonly accounts: readonly LoadAccount[];
}

interface Target extends LagTarget {
  readonly api: Server;
}

export async function measureStreams(bench: Bench): Promise<void> {
  if (!isWanted(bench.options, SCENARIO)) return;
  const database = await bench.services.createDatabase('streams');
  const accounts = await seedAccounts(database, ACCOUNTS, USERS);
  printComparisonHead(bench.print);
  for (const measure of [measureLag, measureIdle]) {
    const api = await bench.services.startApi(database);
    await measure(bench, { api, accounts });
    await api.stop();
  }
}

function clientOf({ port }: LagTarget['api'], authorization: string) {
  const [apiKey = '', apiSecret = ''] = Buffer.from(authorization.replace('Basic ', ''), 'base64')
    .toString()
    .split(/:(.*)/s);
  return createLedgerClient({ baseUrl: `http://${HOST}:${port}`, apiKey, apiSecret });
}

/** One stream for each account, while offers are made at a steady pace. Throws when a stream fails or lacks an event. */
export async function measureLag(bench: Bench, { api, accounts }: LagTarget): Promise<void> {
  const stopping = new AbortController();
  const { signal } = stopping;
  setMaxListeners(0, signal);
  const lags: number[] = [];
  const opened = new Set<LoadAccount>();
  const followers = accounts.map(async (account) => {
    const options = { signal, onPosition: () => void opened.add(account) };
    for await (const { at } of clientOf(api, account.authorization).events.follow({}, options)) {
      lags.push(Date.now() - Date.parse(at));
    }
  });
  const failing = Promise.all(followers);
  failing.catch(() => undefined); // awaited below
  /** Returns the times of all events once they are there. */
  const lagsOf = async (load: LoadOptions) => {
    lags.length = 0;
    const { all, complaints } = await runLoad(bench, { ...load, warmUpMs: 0 });
    const made = all.answers['201'] ?? 0;
    await until(() => lags.length >= made, { what: `${made} events`, failing });
    return { sorted: lags.toSorted((one, other) => one - other), complaints };
  };
  try {
    await until(() => opened.size === accounts.length, { what: 'all streams', failing });
    const load = { port: api.port, connections: CONNECTIONS, workload: { kind: 'make', accounts } } as const;
    for (const [index, pacePerSecond] of OFFERS_A_SECOND.entries()) {
      await lagsOf({ ...load, pacePerSecond, seconds: WARM_UP_SECONDS });
      const { sorted, complaints } = await lagsOf({ ...load, pacePerSecond });
      const at = (share: number) => sorted[Math.floor((sorted.length - 1) * share)] ?? Infinity;
      const note = `${sorted.length} events of ${accounts.length} accounts with a stream each`;
      for (const [share, name, goal] of SHARES) {
        const value = at(share);
        const what = `commit to frame, ${pacePerSecond} offers a second, ${name}`;
        const goals = index === 0 ? [goalOf(goal, value)] : [];
        recordComparison(bench, { scenario: SCENARIO, what, unit: 'ms', value, note, complaints, goals });
      }
    }
  } finally {
    stopping.abort();
    await Promise.allSettled(followers);
  }
}

interface Waiting {
  readonly what: string;
  /** Rejects when there is no more to wait for. */
  readonly failing: Promise<unknown>;
}

async function until(isThere: () => boolean, { what, failing }: Waiting): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  while (!isThere()) {
    if (performance.now() > deadline) throw new Error(`Waited ${PATIENCE_MS} ms in vain for ${what}.`);
    await Promise.race([delay(10), failing]);
  }
}

async function openStream({ port }: Server, authorization: string): Promise<ClientRequest> {
  const headers = { Authorization: authorization, Accept: 'text/event-stream' };
  const stream = request({ host: HOST, port, path: '/events/stream', headers, agent: false }).end();
  const [answer] = await once(stream, 'response');
  if (answer.statusCode !== 200) throw new Error(`A stream was answered ${answer.statusCode}.`);
  answer.on('error', () => undefined).resume();
  return stream;
}

async function openStreams({ api, accounts }: Target, ofAccount: number): Promise<ClientRequest[]> {
  const wanted = accounts.flatMap(({ authorization }) => Array.from({ length: ofAccount }, () => authorization));
  const streams: ClientRequest[] = [];
  for (let from = 0; from < wanted.length; from += OPENED_AT_ONCE) {
    const some = wanted.slice(from, from + OPENED_AT_ONCE).map((authorization) => openStream(api, authorization));
    streams.push(...(await Promise.all(some)));
  }
  return streams;
}

function closeStreams(streams: readonly ClientRequest[]): void {
  for (const stream of streams) stream.on('error', () => undefined).destroy();
}

async function measureIdle(bench: Bench, target: Target): Promise<void> {
  const meter = new ProcessMeter(target.api.pid);
  // Code is compiled, and buffers are there, before the memory is looked at.
  closeStreams(await openStreams(target, 2));
  await delay(IDLE_MS);
  const beforeMb = meter.memoryMb();
  const streams = await openStreams(target, STREAMS_OF_ACCOUNT);
  await delay(IDLE_MS);
  const [cpuBefore, startedAt] = [meter.cpuMs(), performance.now()];
  await delay(WATCHED_MS);
  const share = ((meter.cpuMs() ?? 0) - (cpuBefore ?? 0)) / (performance.now() - startedAt);
  const afterMb = meter.memoryMb();
  meter.stop();
  closeStreams(streams);
  if (beforeMb === undefined || afterMb === undefined) return;
  const moreMb = afterMb - beforeMb;
  recordComparison(bench, {
    ...{ scenario: SCENARIO, what: `${streams.length} idle streams, above none`, unit: 'MB', value: moreMb },
    note: `from ${Math.round(beforeMb)} MB; ${(100 * share).toFixed(1)}% of a processor`,
    ...{ complaints: [], goals: [goalOf('streamMemory', moreMb), goalOf('streamProcessor', share)] },
  });
}
