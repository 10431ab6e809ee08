import { generateKeyPairSync, sign } from 'node:crypto';
import { DAY_MS } from '#platform/config/time-units.js';
import type { TlsCertificate } from '#tools/shared/webhook-receiver.js';

// Node.js makes keys and signatures, but no certificates: these are the few parts of X.509 that a server needs.

const [BIT_STRING, OCTET_STRING, OBJECT, UTF8, TIME, SEQUENCE, SET] = [0x03, 0x04, 0x06, 0x0c, 0x17, 0x30, 0x31];
/** Of a version, of the extensions, and of a DNS name among the alternative names. */
const [VERSION, EXTENSIONS, DNS_NAME] = [0xa0, 0xa3, 0x82];
const VERSION_3 = Buffer.from([0x02, 0x01, 0x02]);
const SERIAL = Buffer.from([0x02, 0x01, 0x01]);
const ECDSA_WITH_SHA256 = '2a8648ce3d040302';
const COMMON_NAME = '550403';
const ALTERNATIVE_NAME = '551d11';
const LONG = 0x80;

/** A tag, a length and a content, as DER writes them. */
function der(tag: number, ...contents: readonly (Buffer | string)[]): Buffer {
  const content = Buffer.concat(contents.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)));
  if (content.length < LONG) return Buffer.concat([Buffer.from([tag, content.length]), content]);
  const length = Buffer.from([content.length >> 8, content.length & 0xff]);
  return Buffer.concat([Buffer.from([tag, LONG | length.length]), length, content]);
}

const objectOf = (hex: string): Buffer => der(OBJECT, Buffer.from(hex, 'hex'));

/** `YYMMDDhhmmssZ` */
const timeOf = (at: number): Buffer => der(TIME, `${new Date(at).toISOString().replace(/\D/g, '').slice(2, 14)}Z`);

const pemOf = (label: string, bytes: Buffer): string =>
  `-----BEGIN ${label}-----\n${bytes.toString('base64').replace(/.{64}/g, '$&\n')}\n-----END ${label}-----\n`;

/** A certificate of this host name alone, which nothing trusts unless told to. It lives for two days. */
export function makeSelfSignedCertificate(name: string): TlsCertificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const algorithm = der(SEQUENCE, objectOf(ECDSA_WITH_SHA256));
  const subject = der(SEQUENCE, der(SET, der(SEQUENCE, objectOf(COMMON_NAME), der(UTF8, name))));
  const lifetime = der(SEQUENCE, timeOf(Date.now() - DAY_MS), timeOf(Date.now() + DAY_MS));
  const names = der(OCTET_STRING, der(SEQUENCE, der(DNS_NAME, name)));
  const extensions = der(EXTENSIONS, der(SEQUENCE, der(SEQUENCE, objectOf(ALTERNATIVE_NAME), names)));
  const key = publicKey.export({ type: 'spki', format: 'der' });
  const content = der(
    SEQUENCE,
    ...[der(VERSION, VERSION_3), SERIAL, algorithm, subject, lifetime, subject, key, extensions],
  );
  const signature = der(BIT_STRING, Buffer.from([0]), sign('sha256', content, privateKey));
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    cert: pemOf('CERTIFICATE', der(SEQUENCE, content, algorithm, signature)),
  };
}
