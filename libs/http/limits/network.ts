const MAX_LENGTH = 64;
const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;
const GROUPS = 8;
const NETWORK_GROUPS = 4;

/**
 * The network by which a caller's address is counted: an IPv6 subscriber owns a whole /64 and could use a new address for
 * each request. A text that is no address is returned unchanged.
 */
export function networkOf(address: string): string {
  if (!address.includes(':')) return address.slice(0, MAX_LENGTH);
  const mapped = MAPPED.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  const [head = '', tail] = address.toLowerCase().split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const left = Math.max(0, GROUPS - before.length - after.length);
  const groups = tail === undefined ? before : [...before, ...Array<string>(left).fill('0'), ...after];
  return groups
    .slice(0, NETWORK_GROUPS)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':')
    .slice(0, MAX_LENGTH);
}
