import type { SeededRandom } from '#tools/shared/seeded-random.js';
import type { RawRequest } from './raw-request.js';

// Requests of a hostile tenant whose end, method, target or headers can be read in several ways, with requests hidden in them.
// Under its own credential none of them changes anything. Under that of another one, the hidden requests would.

export interface Attacker {
  /** A header with its credential. */
  readonly credential: string;
  readonly host: string;
  /** Before the paths of the API: the console has one. */
  readonly prefix: string;
}

type Some<Item> = readonly [Item, ...Item[]];

const METHODS: Some<string> = ['GET', 'POST', 'DELETE', 'PATCH', 'HEAD'];
const ODD_METHODS: Some<string> = [
  'PUT',
  'OPTIONS',
  'TRACE',
  'CONNECT',
  'QUERY',
  'LOCK',
  'get',
  'GE T',
  'PRI',
  'POST\t',
];

const FORGOTTEN = JSON.stringify({ email: 'forgotten@storm.example' });

const TARGETS: Some<string> = [
  '/auth/account/me',
  '/auth/account/sessions/999999999',
  '/auth/account/forgot-password',
  '/account/user?per_page=5',
  '/bets/make-offer',
  '/events/stream',
  '/healthz',
  '/metrics',
  '/nowhere',
];

/** The path and query of a target, written otherwise. */
const SPELLINGS: Some<(target: string, attacker: Attacker) => string> = [
  (target, { host }) => `http://${host}${target}`,
  (target) => `http://other.example${target}`,
  (target) => `/${target}`,
  (target) => target.replace('/', '/%2e%2e/'),
  (target) => target.replaceAll('a', '%61'),
  (target) => `${target}#x`,
  (target) => `${target}?a=b HTTP/1.1\r\nX: y`,
  (target) => `${target}\0`,
  () => '*',
  () => 'other.example:80',
];

const VERSION = 'HTTP/1.1';
const ODD_VERSIONS: Some<string> = ['HTTP/1.0', 'HTTP/2.0', 'HTTP/1.2', 'HTTP/0.9', ''];

/** Complete, and without a credential: its answer would be the one to the next request of another caller. */
const HIDDEN: Some<string> = [
  'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n',
  `POST /auth/account/forgot-password HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${FORGOTTEN.length}\r\n\r\n${FORGOTTEN}`,
  'GET /auth/account/me HTTP/1.1\r\nHost: x\r\n\r\n',
];

/** The beginning of a request, which the headers of another caller would complete. */
const BEGINNINGS: Some<string> = [
  'POST /auth/account/generate-keys HTTP/1.1\r\nX-Ignore: ',
  'POST /auth/logout/account?logout_all=true HTTP/1.1\r\nX-Ignore: ',
  'GET /auth/account/me HTTP/1.1\r\nX-Ignore: ',
  'POST /auth/login/account HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 400\r\n\r\n',
];

const PLAIN: Some<string> = ['', '{}', '[]', FORGOTTEN, 'x'.repeat(40), 'x'.repeat(70_000)];

const chunkOf = (text: string): string => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
const END = '0\r\n\r\n';

const inChunks = (text: string): string => chunkOf(text) + END;

/** A body in chunks that say something else. */
const ODD_CHUNKS: Some<(text: string) => string> = [
  (text) => inChunks(text),
  (text) => `${chunkOf(text)}0\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n`,
  (text) => chunkOf(text),
  (text) => chunkOf(text).replace('\r\n', ';a="b\r\n"\r\n') + END,
  (text) => chunkOf(text).replace('\r\n', ';a=b\n\r\n') + END,
  (text) => chunkOf(text).replaceAll('\r\n', '\n') + END,
  (text) => `0x${chunkOf(text)}${END}`,
  (text) => `+${chunkOf(text)}${END}`,
  (text) => `ffffffffffffffff${chunkOf(text)}${END}`,
  (text) => chunkOf(text).slice(0, -2) + END,
  (text) => `0\r\n${text}${END}`,
  (text) => END + text,
];

const ODD_FRAMINGS: Some<(length: number) => string> = [
  (length) => `Content-Length: ${length}`,
  () => 'Transfer-Encoding: chunked',
  () => 'Content-Length: 0',
  (length) => `Content-Length: ${length + 40}`,
  (length) => `Content-Length: ${length >> 1}`,
  (length) => `Content-Length: ${length}\r\nContent-Length: ${length}`,
  (length) => `Content-Length: ${length}\r\nContent-Length: 0`,
  (length) => `Content-Length: ${length}, ${length}`,
  (length) => `Content-Length: +${length}`,
  (length) => `Content-Length: 0x${length.toString(16)}`,
  (length) => `Content-Length: -${length}`,
  (length) => `Content-Length : ${length}`,
  (length) => `Content-Length:\t${length}`,
  (length) => `Content-Length: ${length}\0`,
  (length) => `X: y\n Content-Length: ${length}`,
  (length) => `X: y\r\n\tContent-Length: ${length}`,
  (length) => `X: y\rContent-Length: ${length}`,
  (length) => `\0Content-Length: ${length}`,
  (length) => `Content_Length: ${length}`,
  () => 'Content-Length: 99999999999999999999999',
  () => 'Content-Length:',
  () => 'Transfer-Encoding: Chunked',
  () => 'Transfer-Encoding: chunked, identity',
  () => 'Transfer-Encoding: gzip, chunked',
  () => 'Transfer-Encoding: identity',
  () => 'Transfer-Encoding: "chunked"',
  () => 'Transfer-Encoding: xchunked',
  () => 'Transfer-Encoding:\tchunked',
  () => 'Transfer-Encoding: \x0bchunked',
  () => 'Transfer-Encoding : chunked',
  () => 'Transfer-Encoding\r\n : chunked',
  () => 'Transfer-Encoding:\r\n chunked',
  () => 'Transfer-Encoding: chunked\r\nTransfer-Encoding: identity',
  () => ' Transfer-Encoding: chunked',
  () => 'Transfer-encoding: chunked\xa0',
];

const TRICKS: Some<string> = [
  'Connection: close',
  'Connection: keep-alive',
  'Connection: Content-Length, Transfer-Encoding, Cookie, Authorization',
  'Connection: upgrade\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__',
  'Connection: upgrade\r\nUpgrade: websocket',
  'Expect: 100-continue',
  'Expect: 100-continue, x',
  'Trailer: Content-Length',
  'TE: trailers, chunked',
  'Host: other.example',
  'X-HTTP-Method-Override: DELETE',
  'Console-Secret: guessed-secret-of-the-console\r\nConsole-Address: 192.0.2.9',
  'X-Forwarded-For: 192.0.2.9\r\nForwarded: for=192.0.2.9',
  'Content-Encoding: gzip',
  'Keep-Alive: timeout=1000',
  `X-Long: ${'y'.repeat(15_000)}`,
];

const NEXT = 'GET /nowhere HTTP/1.1\r\nHost: x\r\n\r\n';

const SHARE_HIDDEN = 0.6;
const SHARE_CHUNKED = 0.5;
/** Of what is odd: most requests have one or two oddities, so that not every one is refused for its first. */
const SHARE_ODD_METHOD = 0.1;
const SHARE_ODD_TARGET = 0.15;
const SHARE_ODD_VERSION = 0.05;
const SHARE_ODD_FRAMING = 0.4;
const SHARE_ODD_CHUNKS = 0.2;
const SHARE_TRICK = 0.3;
const SHARE_WITHOUT_CREDENTIAL = 0.1;
const SHARE_NEXT = 0.3;
const SHARE_BARE_LINES = 0.03;
const SHARE_SPLIT = 0.4;

function contentOf(chance: SeededRandom): string {
  if (!chance.happens(SHARE_HIDDEN)) return chance.pick(PLAIN);
  const hidden = chance.happens(0.7) ? chance.pick(HIDDEN) : '';
  return hidden + (chance.happens(0.7) ? chance.pick(BEGINNINGS) : '');
}

function targetOf(chance: SeededRandom, attacker: Attacker): string {
  const target = `${chance.happens(0.9) ? attacker.prefix : ''}${chance.pick(TARGETS)}`;
  return chance.happens(SHARE_ODD_TARGET) ? chance.pick(SPELLINGS)(target, attacker) : target;
}

interface Body {
  readonly text: string;
  /** The header that says where it ends. */
  readonly framing: string;
}

/** The body may be longer than its header says. */
function bodyOf(chance: SeededRandom, content: string): Body {
  const isChunked = chance.happens(SHARE_CHUNKED);
  const chunks = chance.happens(SHARE_ODD_CHUNKS) ? chance.pick(ODD_CHUNKS) : inChunks;
  const framing = isChunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${content.length}`;
  const odd = chance.pick(ODD_FRAMINGS)(content.length);
  const kinds: Some<string> = [odd, `${framing}\r\n${odd}`, `${odd}\r\n${framing}`];
  return {
    text: isChunked ? chunks(content) : content,
    framing: chance.happens(SHARE_ODD_FRAMING) ? chance.pick(kinds) : framing,
  };
}

function headOf(chance: SeededRandom, attacker: Attacker, framing: string): string {
  const method = chance.pick(chance.happens(SHARE_ODD_METHOD) ? ODD_METHODS : METHODS);
  const version = chance.happens(SHARE_ODD_VERSION) ? chance.pick(ODD_VERSIONS) : VERSION;
  const isBodiless = method === 'GET' && chance.happens(0.5);
  const headers = [
    ...(chance.happens(0.97) ? [`Host: ${attacker.host}`] : []),
    ...(chance.happens(SHARE_WITHOUT_CREDENTIAL) ? [] : [attacker.credential]),
    ...(chance.happens(0.7) ? ['Content-Type: application/json'] : []),
    ...(isBodiless ? [] : [framing]),
    ...(chance.happens(SHARE_TRICK) ? [chance.pick(TRICKS)] : []),
  ];
  return `${method} ${targetOf(chance, attacker)} ${version}\r\n${chance.shuffle(headers).join('\r\n')}\r\n\r\n`;
}

/** One request, whole or in two pieces, perhaps with another one behind it. */
export function oddFraming(chance: SeededRandom, attacker: Attacker): RawRequest {
  const body = bodyOf(chance, contentOf(chance));
  const request = `${headOf(chance, attacker, body.framing)}${body.text}${chance.happens(SHARE_NEXT) ? NEXT : ''}`;
  const text = chance.happens(SHARE_BARE_LINES) ? request.replaceAll('\r\n', '\n') : request;
  if (!chance.happens(SHARE_SPLIT)) return [text];
  const at = 1 + chance.below(text.length - 1);
  return [text.slice(0, at), text.slice(at)];
}
