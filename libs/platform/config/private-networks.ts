import { BlockList, isIP, isIPv6 } from 'node:net';

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/** Loopback, link-local and private networks. */
const privateNetworks = new BlockList();
for (const [network, bits] of [
  ['127.0.0.0', 8],
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['169.254.0.0', 16],
] as const) {
  privateNetworks.addSubnet(network, bits, 'ipv4');
}
privateNetworks.addAddress('::1', 'ipv6');
privateNetworks.addSubnet('fc00::', 7, 'ipv6');
privateNetworks.addSubnet('fe80::', 10, 'ipv6');

const familyOf = (address: string) => (isIPv6(address) ? 'ipv6' : 'ipv4');

/** Names that public DNS never resolves: of one label, as containers have, or reserved for private use. */
const PRIVATE_NAME = /^[^.]+$|\.(?:internal|local|localhost)$/i;

export const isPrivateAddress = (address: string): boolean => privateNetworks.check(address, familyOf(address));

/** Whether a host of a configured address is this machine. An empty host is a Unix socket or the default, localhost. */
export function isLoopbackHost(host: string): boolean {
  if (isIP(host) !== 0) return loopback.check(host, familyOf(host));
  return host === '' || host.startsWith('/') || /^(?:.+\.)?localhost$/i.test(host);
}

export const isPrivateHost = (host: string): boolean =>
  isLoopbackHost(host) || (isIP(host) === 0 ? PRIVATE_NAME.test(host) : isPrivateAddress(host));
