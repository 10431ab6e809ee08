import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Redis } from 'ioredis';
import { TcpProxy } from '#proof/storm/cluster/tcp-proxy.js';
import { freePort } from '#tools/services/free-port.js';
import { startPrivateRedis } from '#tools/services/private-redis.js';
import type { PrivateService } from '#tools/services/service-process.js';
import { waitFor } from './wait-for.js';

const MASTERS = 3;
const SLOTS = 16_384;
const PASSWORD = 'of-a-test';
/** Short, so that a fail-over is; Redis has 15 s by default. */
const NODE_TIMEOUT_MS = 1_000;

export interface ClusterNode {
  readonly service: PrivateService;
  /** The cluster names the node by this proxy, so callers and replicas come through it. */
  readonly proxy: TcpProxy;
  /** Past the proxy, for the test's own questions. */
  readonly redis: Redis;
}

/** Three masters, and a replica of each. */
export interface TestCluster {
  /** For REDIS_URL: two of the nodes. */
  readonly url: string;
  readonly nodes: readonly ClusterNode[];
  /** The master that has the key's slot, as a living node sees it. */
  masterOf(key: string): Promise<ClusterNode>;
  /** All keys, each with the index of its master among the nodes. */
  keys(): Promise<readonly (readonly [key: string, node: number])[]>;
  kill(node: ClusterNode): Promise<void>;
  close(): Promise<void>;
}

async function startNode(folder: string): Promise<ClusterNode> {
  const [port, targetPort, busPort] = [await freePort(), await freePort(), await freePort()];
  await mkdir(folder, { recursive: true });
  // All nodes have one password.
  await writeFile(path.join(folder, 'password'), PASSWORD, { mode: 0o600 });
  const service = await startPrivateRedis({
    dataDir: folder,
    port: targetPort,
    persistent: false,
    settings: [
      'cluster-enabled yes',
      `cluster-node-timeout ${NODE_TIMEOUT_MS}`,
      `cluster-port ${busPort}`,
      `cluster-announce-port ${port}`,
      `cluster-announce-bus-port ${busPort}`,
      'cluster-announce-ip 127.0.0.1',
      'cluster-replica-validity-factor 0',
      `masterauth ${PASSWORD}`,
      'repl-diskless-sync-delay 0',
    ],
  });
  const proxy = await TcpProxy.open({ port, targetPort });
  const redis = new Redis(service.url, { retryStrategy: () => null, maxRetriesPerRequest: null });
  redis.on('error', () => undefined);
  return { service, proxy, redis };
}

const allSay = (nodes: readonly ClusterNode[], line: string) => async () =>
  (await Promise.all(nodes.map(({ redis }) => redis.cluster('INFO')))).every((info) => String(info).includes(line));

/** As `redis-cli --cluster create` does, without its pauses. */
async function join(nodes: readonly ClusterNode[]): Promise<void> {
  const [first] = nodes as [ClusterNode];
  for (const [index, { redis }] of nodes.entries()) {
    await redis.call('CLUSTER', 'SET-CONFIG-EPOCH', index + 1);
    const from = Math.ceil((index * SLOTS) / MASTERS);
    const to = Math.ceil(((index + 1) * SLOTS) / MASTERS) - 1;
    if (index < MASTERS) await redis.call('CLUSTER', 'ADDSLOTSRANGE', from, to);
    const [port, busPort] = [
      first.proxy.port,
      Number(((await first.redis.config('GET', 'cluster-port')) as string[])[1]),
    ];
    if (index > 0) await redis.call('CLUSTER', 'MEET', '127.0.0.1', port, busPort);
  }
  await waitFor(allSay(nodes, `cluster_known_nodes:${nodes.length}`));
  for (const [index, { redis }] of nodes.entries()) {
    if (index < MASTERS) continue;
    const master = nodes[index - MASTERS] as ClusterNode;
    const id = String(await master.redis.call('CLUSTER', 'MYID'));
    await waitFor(async () => (await redis.call('CLUSTER', 'REPLICATE', id).catch(() => undefined)) === 'OK');
  }
  await waitFor(allSay(nodes, 'cluster_state:ok'));
  const isLinked = async ({ redis }: ClusterNode) =>
    (await redis.info('replication')).includes('master_link_status:up');
  await waitFor(async () => (await Promise.all(nodes.slice(MASTERS).map(isLinked))).every(Boolean));
}

export async function startRedisCluster(folder: string): Promise<TestCluster> {
  const nodes = await Promise.all(
    Array.from({ length: 2 * MASTERS }, (_, index) => startNode(path.join(folder, `node-${index}`))),
  );
  await join(nodes);
  const living = () => nodes.filter(({ redis }) => redis.status === 'ready');
  const placeOf = ({ proxy }: ClusterNode) => `127.0.0.1:${proxy.port}`;

  async function masterOf(key: string): Promise<ClusterNode> {
    const [asked] = living() as [ClusterNode];
    const slot = await asked.redis.cluster('KEYSLOT', key);
    const ranges = await asked.redis.cluster('SLOTS');
    const [, , master] = ranges.find(([from, to]) => from <= slot && slot <= to) ?? [];
    return nodes.find(({ proxy }) => proxy.port === master?.[1]) as ClusterNode;
  }

  return {
    url: `redis+cluster://:${PASSWORD}@${nodes.slice(0, 2).map(placeOf).join()}`,
    nodes,
    masterOf,
    async keys() {
      const found = await Promise.all(
        living().map(async (node) => ({
          isMaster: (await node.redis.role())[0] === 'master',
          keys: (await node.redis.keys('*')).map((key) => [key, nodes.indexOf(node)] as const),
        })),
      );
      return found.flatMap(({ isMaster, keys }) => (isMaster ? keys : []));
    },
    async kill({ service, proxy }) {
      service.kill('SIGKILL');
      await service.exited;
      proxy.refuse();
    },
    async close() {
      for (const { redis, proxy } of nodes) {
        redis.disconnect();
        proxy.close();
      }
      await Promise.all(nodes.map(({ service }) => service.stop()));
    },
  };
}
