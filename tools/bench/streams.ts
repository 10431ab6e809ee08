import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { type Bench, type Figures, planFor, type Scenario, type Target } from './bench.js';
import { runLoad } from './load/run-load.js';
import { ledgerOf } from './load-scenarios.js';

/** No frame takes so long: an event that is not there by then is lost. */
const PATIENCE_MS = 20_000;

/** From an event to its frame: one stream of events for each account, while one connection makes offers. */
export const streamsScenario: Scenario = {
  name: 'streams',
  async prepare(bench, build) {
    const target = await ledgerOf(bench, build);
    return { measure: () => measureLag(bench, target), close: async () => undefined };
  },
};

async function measureLag({ options }: Bench, { api, accounts }: Target): Promise<Figures> {
  const lags: number[] = [];
  const streams: IncomingMessage[] = [];
  for (const { authorization } of accounts) streams.push(await openStream(api.port, authorization));
  for (const stream of streams) {
    createInterface({ input: stream }).on('line', (line) => {
      const at = /^data:.*"at":"([^"]+)"/.exec(line)?.[1];
      if (at !== undefined) lags.push(Date.now() - Date.parse(at));
    });
  }
  try {
    const { done } = await runLoad(planFor(options, api, { connections: 1, workload: { kind: 'make', accounts } }));
    const deadline = performance.now() + PATIENCE_MS;
    while (lags.length < done) {
      if (performance.now() > deadline) throw new Error(`${lags.length} of ${done} events are in the streams.`);
      await delay(10);
    }
  } finally {
    for (const stream of streams) stream.destroy();
  }
  const sorted = lags.sort((one, other) => one - other);
  const at = (share: number) => sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN;
  return { 'p50 ms': at(0.5), 'p99 ms': at(0.99) };
}

async function openStream(port: number, authorization: string): Promise<IncomingMessage> {
  const request = get({
    host: '127.0.0.1',
    port,
    path: '/events/stream?after=now',
    headers: { authorization },
    agent: false,
  });
  const [answer] = (await once(request, 'response')) as [IncomingMessage];
  if (answer.statusCode !== 200) throw new Error(`A stream was answered ${answer.statusCode}.`);
  return answer.on('error', () => undefined); // it is destroyed at the end
}
