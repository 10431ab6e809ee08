import { isIP } from 'node:net';
import { isPrivateHost } from '#platform/config/private-networks.js';

// Which addresses an endpoint may have. The names that stand here are resolved later, and the connection checks each
// address that they lead to.

export const MAX_URL_LENGTH = 2_048;
const PORTS = ['', '443', '8443'];
/** Of mail: a mail server might take a request for commands. */
const MAIL_PORT = '25';

export const URL_TEXT = 'https only, port 443 or 8443, a public name and no address, no user, no fragment';

const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[(.+)\]$/, '$1').replace(/\.$/, '');

/** Every fault of an address, as the end of a sentence that begins with `url`. */
export function targetFaults(text: string, { allowPrivate }: { readonly allowPrivate: boolean }): string[] {
  if (!URL.canParse(text)) return ['must be an address that begins with https://'];
  const url = new URL(text);
  const host = hostOf(url);
  const isAddress = isIP(host) !== 0;
  const schemes = allowPrivate ? ['https:', 'http:'] : ['https:'];
  const rules: readonly (readonly [boolean, string])[] = [
    [schemes.includes(url.protocol), 'must begin with https://'],
    [url.username === '' && url.password === '', 'must not name a user or a password'],
    [url.hash === '', 'must not have a fragment'],
    [allowPrivate ? url.port !== MAIL_PORT : PORTS.includes(url.port), 'must have the port 443 or 8443'],
    [allowPrivate || !isAddress, 'must have a name and not an IP address'],
    [allowPrivate || isAddress || !isPrivateHost(host), 'must have a public name'],
  ];
  return rules.filter(([holds]) => !holds).map(([, fault]) => fault);
}
