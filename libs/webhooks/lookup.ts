import type { LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';

/** Of the first question to a name server; the second has twice as long. */
const TIMEOUT_MS = 2_000;
const TRIES = 2;

/**
 * Asks the name servers itself. The look-up of the system takes a thread of the process until it ends, and two may take one
 * at once: a few names whose name servers are silent would hold up the names of everyone. It reads neither /etc/hosts nor
 * names of this network, and a public endpoint needs neither. The name servers are those of the moment.
 */
export function createLookup(servers?: readonly string[]): LookupFunction {
  return (name, options, callback) => {
    const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES });
    if (servers !== undefined) resolver.setServers(servers);
    void addressesOf(resolver, name).then((addresses) => {
      const [first] = addresses;
      if (first === undefined) callback(Object.assign(new Error(`${name} has no address`), { code: 'ENOTFOUND' }), '');
      else if (options.all === true) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}

async function addressesOf(resolver: Resolver, name: string): Promise<LookupAddress[]> {
  const none = () => [];
  const [v4, v6] = await Promise.all([resolver.resolve4(name).catch(none), resolver.resolve6(name).catch(none)]);
  return [...v4.map((address) => ({ address, family: 4 })), ...v6.map((address) => ({ address, family: 6 }))];
}
