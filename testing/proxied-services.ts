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

async function proxyTo(address: string): Promise<{ readonly proxy: TcpProxy; readonly address: string }> {
  const url = new URL(address);
  const proxy = await TcpProxy.open({ port: await freePort(), targetPort: Number(url.port) });
  url.port = String(proxy.port);
  return { proxy, address: url.href };
}

export async function openProxiedServices({ addresses, redisUrl }: TestEnvironment): Promise<ProxiedServices> {
  const [postgres, redis] = [await proxyTo(addresses.DATABASE_URL), await proxyTo(redisUrl)];
  return {
    postgres: postgres.proxy,
    redis: redis.proxy,
    settings: { ...addresses, DATABASE_URL: postgres.address, REDIS_URL: redis.address },
    close() {
      postgres.proxy.close();
      redis.proxy.close();
    },
  };
}
