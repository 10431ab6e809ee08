import { setTimeout as delay } from 'node:timers/promises';
import { apiNames, type Cluster, type ProcessName, processNames, workerNames } from '../cluster/cluster.js';
import type { Silence } from '../cluster/proxied-connection.js';
import type { TcpProxy } from '../cluster/tcp-proxy.js';
import type { FaultContext, FaultKind } from './fault-kind.js';

/** Connections of one process; those of all others stay intact. */
interface ConnectionKind {
  readonly name: string;
  readonly targets: readonly [ProcessName, ...ProcessName[]];
  readonly proxyOf: (cluster: Cluster, name: ProcessName) => TcpProxy | undefined;
}

const toPostgres: ConnectionKind = {
  name: 'a process to PostgreSQL',
  targets: processNames,
  proxyOf: ({ processes }, name) => processes[name].proxies.PostgreSQL,
};
const toRedis: ConnectionKind = {
  name: 'a process to Redis',
  targets: processNames,
  proxyOf: ({ processes }, name) => processes[name].proxies.Redis,
};
const connectionKinds: readonly ConnectionKind[] = [
  { name: 'clients to an API', targets: apiNames, proxyOf: ({ apiProxies }, name) => apiProxies.get(name) },
  toPostgres,
  toRedis,
];

const CUT_SHARES = [0.3, 0.6, 1] as const;

type Injection = (proxy: TcpProxy, context: FaultContext) => Promise<void>;

const cut: Injection = async (proxy, { lastsMs, chance, stopping }) => {
  proxy.markForCut({ share: chance.pick(CUT_SHARES), chance });
  await delay(lastsMs, undefined, { signal: stopping });
  proxy.cutMarked();
};

const refuse: Injection = async (proxy, { lastsMs, stopping }) => {
  proxy.refuse();
  await delay(lastsMs, undefined, { signal: stopping });
  proxy.accept();
};

const hold: Injection = async (proxy, { lastsMs, stopping }) => {
  proxy.hold();
  await delay(lastsMs, undefined, { signal: stopping });
  proxy.release();
};

/** It is over at once: the open connections stay silent for ever, and new ones work. */
const silence =
  (what: Silence): Injection =>
  async (proxy) =>
    proxy.silence(what);

/** A worker lets a statement run for 14 s, and waits 16 s for its answer. */
const WORKER_SILENCE_MS = 30_000;

/** Of connections to PostgreSQL. Undefined: within the usual time. */
export const recoversFromSilenceWithinMs = (process: ProcessName): number | undefined =>
  workerNames.some((name) => name === process) ? WORKER_SILENCE_MS : undefined;

const silences: readonly FaultKind[] = [toPostgres, toRedis].flatMap((connection) =>
  (['both directions', 'answers'] as const).map((what) => ({
    ...onConnection(connection, `silent: ${what}`, [0, 0], silence(what)),
    recoversWithinMs: (_target, process) =>
      connection === toPostgres ? recoversFromSilenceWithinMs(process) : undefined,
  })),
);

export const networkFaults: readonly FaultKind[] = [
  ...connectionKinds.flatMap((connection) => [
    onConnection(connection, 'cut during answers', [100, 800], cut),
    onConnection(connection, 'refused', [500, 3_000], refuse),
    onConnection(connection, 'stalled', [500, 4_000], hold),
  ]),
  ...silences,
];

function onConnection(
  connection: ConnectionKind,
  what: string,
  lasts: FaultKind['lasts'],
  injection: Injection,
): FaultKind {
  return {
    name: `${connection.name}: ${what}`,
    targets: connection.targets,
    lasts,
    affects: (target) => [target as ProcessName],
    async inject(context) {
      const proxy = connection.proxyOf(context.cluster, context.target as ProcessName);
      if (proxy === undefined) throw new Error(`there is no proxy for ${context.target}`);
      await injection(proxy, context);
    },
  };
}
