import { isLoopbackHost, isPrivateHost } from './private-networks.js';
import { readRedisAddress } from './redis-address.js';

/** Services whose connections may do without verified TLS when the provider names them. */
export const insecureServices = ['postgresql', 'redis'] as const;
export type InsecureService = (typeof insecureServices)[number];

const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[(.+)\]$/, '$1');

/** In the driver, a parameter `host` replaces the host of the address. */
const databaseHostOf = (url: URL): string => url.searchParams.get('host') ?? decodeURIComponent(hostOf(url));

/** The driver connects without TLS unless the address asks for it, and `no-verify` takes any certificate. */
const isVerified = ({ searchParams }: URL): boolean =>
  searchParams.getAll('sslmode').at(-1) === 'verify-full' && !searchParams.has('ssl');

/** A fault of an address in production: it would carry data over other networks without verified TLS. */
export function databaseFault(address: string, allowed: readonly InsecureService[]): string | undefined {
  const url = new URL(address);
  if (allowed.includes('postgresql') || isVerified(url) || isPrivateHost(databaseHostOf(url))) return undefined;
  return 'leaves the private networks, so it needs sslmode=verify-full (or INSECURE_CONNECTIONS=postgresql)';
}

/** The console sends passwords and tokens to the API. */
export function apiFault(address: string): string | undefined {
  const url = new URL(address);
  if (url.protocol === 'https:' || isPrivateHost(hostOf(url))) return undefined;
  return 'leaves the private networks, so it needs https://';
}

/** Every node that the address names. The nodes that a cluster names itself meet the same rule when they are connected. */
export function redisFault(address: string, allowed: readonly InsecureService[]): string | undefined {
  const nodes = readRedisAddress(address)?.nodes ?? [];
  const isSafe = (node: URL) => node.protocol === 'rediss:' || isPrivateHost(hostOf(node));
  if (allowed.includes('redis') || nodes.every(isSafe)) return undefined;
  return 'leaves the private networks, so it needs rediss:// or rediss+cluster:// (or INSECURE_CONNECTIONS=redis)';
}

/**
 * Mails carry codes and links that open accounts, so even a private network is not enough. `?requireTLS=false` in the
 * address, which nodemailer reads itself, tells otherwise.
 */
export const smtpRequiresTls = (address: string): boolean => !isLoopbackHost(hostOf(new URL(address)));
