import { isIPv4, isIPv6 } from 'node:net';

/** Longer texts are no addresses. */
const MAX_LENGTH = 64;
const WITH_PORT = /^(?:(\d+\.\d+\.\d+\.\d+)|\[([^\]]+)\])(?::\d+)?$/;
const DOTTED_END = /(\d+)\.(\d+)\.(\d+)\.(\d+)$/;
const GROUPS = 8;
/** IPv4 addresses inside IPv6 ones: mapped, and of the translation NAT64. */
const PREFIXES_OF_IPV4 = ['0:0:0:0:0:ffff', '64:ff9b:0:0:0:0'];

/** A network that a caller's address belongs to. */
export interface Network {
  readonly name: string;
  /** How many times the limit of one subscriber it has: more subscribers share a wider network. */
  readonly share: 1 | 2 | 4;
}

const hex = (high: string | undefined, low: string | undefined) => (Number(high) * 256 + Number(low)).toString(16);

/** The eight groups of an IPv6 address, without leading zeros. */
function groupsOf(address: string): string[] | undefined {
  const [plain = ''] = address.toLowerCase().split('%');
  if (!isIPv6(plain)) return undefined;
  const [a, b, c, d] = DOTTED_END.exec(plain)?.slice(1) ?? [];
  const colons = a === undefined ? plain : plain.replace(DOTTED_END, `${hex(a, b)}:${hex(c, d)}`);
  const [before = [], after = []] = colons.split('::').map((half) => (half === '' ? [] : half.split(':')));
  const zeros = Array<string>(GROUPS - before.length - after.length).fill('0');
  return [...before, ...zeros, ...after].map((group) => Number.parseInt(group, 16).toString(16));
}

const networksOfIPv4 = (address: string): Network[] => [
  { name: address, share: 1 },
  { name: `${address.slice(0, address.lastIndexOf('.'))}.0/24`, share: 4 },
];

function networksOfIPv6(groups: readonly string[]): Network[] {
  if (PREFIXES_OF_IPV4.includes(groups.slice(0, 6).join(':'))) {
    const bytes = groups.slice(6).flatMap((group) => {
      const value = Number.parseInt(group, 16);
      return [value >> 8, value & 255];
    });
    return networksOfIPv4(bytes.join('.'));
  }
  const site = groups.slice(0, 3).join(':');
  const subnet = Number.parseInt(groups[3] as string, 16);
  return [
    { name: `${site}:${groups[3]}`, share: 1 },
    { name: `${site}:${(subnet & 0xff00).toString(16)}/56`, share: 2 },
    { name: `${site}/48`, share: 4 },
  ];
}

/**
 * The networks by which a caller's address is counted, from the narrowest to the widest: /64, /56 and /48 of IPv6, because
 * one subscriber owns a whole network of any of these sizes; the address itself and its /24 of IPv4. A text that is no
 * address is a network of its own.
 */
export function networksOf(address: string): readonly Network[] {
  const [, withPort, bracketed] = WITH_PORT.exec(address) ?? [];
  const plain = withPort ?? bracketed ?? address;
  if (isIPv4(plain)) return networksOfIPv4(plain);
  const groups = groupsOf(plain);
  return groups === undefined ? [{ name: address.slice(0, MAX_LENGTH), share: 1 }] : networksOfIPv6(groups);
}

/** The narrowest of them: one subscriber, as far as an address tells. */
export const networkOf = (address: string): string => (networksOf(address)[0] as Network).name;

/** The widest of them: what one customer of a provider may own. */
export const siteOf = (address: string): string => (networksOf(address).at(-1) as Network).name;
