/** One Redis, or nodes of a Redis cluster, from which the client learns the others. */
export interface RedisAddress {
  readonly isCluster: boolean;
  /** Each begins with redis:// or rediss://. The nodes of a cluster share user, password and TLS. */
  readonly nodes: readonly URL[];
}

export const REDIS_ADDRESS_FAULT =
  'must be an address that begins with redis:// or rediss://, or names nodes of a cluster: ' +
  'redis+cluster://[user:password@]host:port,host:port (rediss+cluster:// with TLS)';

/** A cluster has no numbered databases, and takes no options. */
const CLUSTER = /^(rediss?)\+cluster:\/\/([^@/?#]*@)?([^@/?#]+)\/?$/;
const ONE = ['redis:', 'rediss:'];

const parse = (text: string): URL[] => (URL.canParse(text) ? [new URL(text)] : []);

const isAddress = ({ hostname, pathname, search }: URL) => hostname !== '' && pathname === '' && search === '';

/** Undefined: the text is no such address. */
export function readRedisAddress(text: string): RedisAddress | undefined {
  const [, scheme, user = '', addresses] = CLUSTER.exec(text) ?? [];
  if (addresses === undefined) {
    const nodes = parse(text).filter(({ protocol, hostname }) => ONE.includes(protocol) && !hostname.includes(','));
    return nodes.length === 0 ? undefined : { isCluster: false, nodes };
  }
  const listed = addresses.split(',');
  const nodes = listed.flatMap((address) => parse(`${scheme}://${user}${address}`)).filter(isAddress);
  return nodes.length === listed.length ? { isCluster: true, nodes } : undefined;
}
