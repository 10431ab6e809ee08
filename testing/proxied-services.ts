import { TcpProxy } from '#proof/storm/cluster/tcp-proxy.js';
import { freePort } from '#tools/services/free-port.js';
import type { TestEnvironment } from './environment.js';

/** A proxy before PostgreSQL and one before Redis, for one process. */
export interface ProxiedServices {
  readonly postgres: TcpProxy;
  readonly redis: TcpProxy;
  /** Makes a process use the proxies. */
  readonly settings: { readonly DATABASE_URL: string; readonly REDIS_URL: string };
  close(): void;
}

const proxyTo = async (address: string): Promise<TcpProxy> =>
  TcpProxy.open({ port: await freePort(), targetPort: Number(new URL(address).port) });

export async function openProxiedServices({ addresses, redisUrl }: TestEnvironment): Promise<ProxiedServices> {
  const [postgres, redis] = [await proxyTo(addresses.DATABASE_URL), await proxyTo(redisUrl)];
  return {
    postgres,
    redis,
    settings: {
      ...addresses,
      DATABASE_URL: postgres.through(addresses.DATABASE_URL),
      REDIS_URL: redis.through(redisUrl),
    },
    close() {
      postgres.close();
      redis.close();
    },
  };
}
