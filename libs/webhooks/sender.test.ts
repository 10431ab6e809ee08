import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { lookup as systemLookup } from 'node:dns/promises';
import http from 'node:http';
import type { AddressInfo, LookupFunction } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createLookup } from './lookup.js';
import { createSender } from './sender.js';
import { targetFaults } from './target.js';

// In a part of the public address space that is assigned to no one.
const PUBLIC = '4000::1';
const HEADER_BYTES = 12;

const questionOf = (query: Buffer) => query.subarray(HEADER_BYTES, query.indexOf(0, HEADER_BYTES) + 5);
/** Every name has IPv6 addresses alone. */
const isForIpv6 = (query: Buffer) => questionOf(query).readUInt16BE(questionOf(query).length - 4) === 28;

/** An answer with one IPv6 address or none, for no time at all. `4000::1` and `::1` differ in their first byte. */
function dnsAnswer(query: Buffer, address?: string): Buffer {
  const question = questionOf(query);
  const header = Buffer.from(query.subarray(0, HEADER_BYTES));
  header.writeUInt16BE(0x8180, 2);
  header.writeUInt16BE(address === undefined ? 0 : 1, 6);
  header.writeUInt16BE(0, 10);
  if (address === undefined) return Buffer.concat([header, question]);
  const bytes = Buffer.alloc(16);
  bytes.writeUInt8(address === PUBLIC ? 0x40 : 0);
  bytes.writeUInt8(1, 15);
  return Buffer.concat([header, question, Buffer.from([0xc0, HEADER_BYTES, 0, 28, 0, 1, 0, 0, 0, 0, 0, 16]), bytes]);
}

let server: Socket;
let inside: http.Server;
/** What the DNS server answers, one address each time; the last one for ever. */
let addresses: string[] = [];
let asked = 0;
/** Questions about names that begin with `silent`. */
const unanswered: (readonly [Buffer, RemoteInfo])[] = [];
let lookup: LookupFunction;
let reached = 0;

const answer = (query: Buffer, { port, address: caller }: RemoteInfo, address?: string) =>
  server.send(dnsAnswer(query, address), port, caller);

beforeAll(async () => {
  server = createSocket('udp4');
  server.on('message', (query, from) => {
    if (query.includes('silent')) return void unanswered.push([query, from]);
    if (!isForIpv6(query)) return answer(query, from);
    const address = addresses[Math.min(asked, addresses.length - 1)] ?? PUBLIC;
    asked += 1;
    answer(query, from, address);
  });
  await new Promise<void>((resolve) => server.bind(0, '127.0.0.1', resolve));
  lookup = createLookup([`127.0.0.1:${server.address().port}`]);
  inside = http.createServer((_request, response) => {
    reached += 1;
    response.end();
  });
  await new Promise<void>((resolve) => inside.listen(0, '::', resolve));
});

afterAll(async () => {
  server?.close();
  await new Promise((resolve) => inside?.close(resolve));
});

const request = { headers: {}, body: '{}' };

describe('a request to a name', () => {
  it('that first leads to a public address and then inside goes nowhere', async () => {
    asked = 0;
    addresses = [PUBLIC, '::1'];
    const send = createSender({ allowPrivate: false, lookup, timeoutMs: 200 });
    const results = [];
    for (let times = 0; times < 3; times += 1)
      results.push(await send({ ...request, url: 'https://rebinding.example.com/' }));
    // The public address was tried: nothing is there, but it was not refused.
    expect(results[0]?.error).not.toBe('address-refused');
    expect(results.slice(1).map(({ status, error }) => [status, error])).toEqual([
      [null, 'address-refused'],
      [null, 'address-refused'],
    ]);
    // One look-up for each request: what was checked is what was connected to.
    expect(asked).toBe(3);
    expect(reached).toBe(0);
  });

  it.each([
    '10.0.0.1',
    '100.64.0.1',
    '127.1.2.3',
    '169.254.169.254',
    '172.16.0.1',
    '192.168.1.1',
    '0.0.0.0',
    '255.255.255.255',
    '224.0.0.1',
    '::1',
    '::',
    'fe80::1',
    'fd00::1',
    '::ffff:127.0.0.1',
    '::ffff:10.0.0.1',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
  ])('that leads to %s is refused, also beside a public one', async (address) => {
    const family = address.includes(':') ? 6 : 4;
    const both = [
      { address: PUBLIC, family: 6 },
      { address, family },
    ];
    for (const found of [[{ address, family }], both]) {
      const send = createSender({
        allowPrivate: false,
        timeoutMs: 200,
        lookup: (_name, options, callback) =>
          options.all === true ? callback(null, found) : callback(null, address, family),
      });
      const result = await send({ ...request, url: 'https://inside.example.com/' });
      expect(result).toMatchObject({ status: null, error: 'address-refused' });
    }
  });

  it('does not wait for names whose name servers are silent, nor does any other look-up', async () => {
    addresses = ['::1'];
    const send = createSender({ allowPrivate: false, lookup });
    const names = Array.from({ length: 40 }, (_, number) => `https://silent-${number}.example.com/`);
    let ended = 0;
    const silent = names.map(async (url) => {
      const { error } = await send({ ...request, url });
      ended += 1;
      return error;
    });
    expect(await send({ ...request, url: 'https://inside.example.com/' })).toMatchObject({ error: 'address-refused' });
    expect(await systemLookup('localhost')).toBeDefined();
    expect(ended).toBe(0);
    for (const [query, from] of unanswered) answer(query, from);
    expect(new Set(await Promise.all(silent))).toEqual(new Set(['unknown-host']));
  });

  it('takes no thread of the process to resolve it', async () => {
    const send = createSender({ allowPrivate: false, timeoutMs: 1_000 });
    const waitsFor = new Set<string>();
    let isOver = false;
    const sent = send({ ...request, url: 'https://no-such-name.invalid/' }).finally(() => {
      isOver = true;
    });
    while (!isOver) {
      for (const resource of process.getActiveResourcesInfo()) waitsFor.add(resource);
      await setImmediate();
    }
    expect(await sent).toMatchObject({ status: null });
    expect([...waitsFor].filter((resource) => resource.includes('AddrInfo'))).toEqual([]);
  });

  it('that has no address says so, and says nothing else', async () => {
    const send = createSender({
      allowPrivate: false,
      lookup: (_name, _options, callback) => callback(Object.assign(new Error('no'), { code: 'ENOTFOUND' }), ''),
    });
    expect(await send({ ...request, url: 'https://nowhere.example.com/' })).toMatchObject({ error: 'unknown-host' });
  });

  it('is refused where the address itself would be, whatever the row says', async () => {
    const { port } = inside.address() as AddressInfo;
    const send = createSender({ allowPrivate: false });
    for (const url of [`http://127.0.0.1:${port}/`, 'https://127.0.0.1/', `https://localhost:${port}/`]) {
      expect(await send({ ...request, url })).toMatchObject({ status: null, error: 'address-refused' });
    }
    expect(reached).toBe(0);
    const free = createSender({ allowPrivate: true });
    expect(await free({ ...request, url: `http://127.0.0.1:${port}/` })).toMatchObject({ status: 200, error: null });
  });
});

describe('an address of an endpoint', () => {
  it.each([
    ['https://example.com/', []],
    ['https://example.com:8443/hook?a=1', []],
    ['http://example.com/', ['must begin with https://']],
    ['https://example.com:25/', ['must have the port 443 or 8443']],
    ['https://ann:secret@example.com/', ['must not name a user or a password']],
    ['https://example.com/#top', ['must not have a fragment']],
    ['https://127.0.0.1/', ['must have a name and not an IP address']],
    ['https://2130706433/', ['must have a name and not an IP address']],
    ['https://0x7f.1/', ['must have a name and not an IP address']],
    ['https://[::ffff:7f00:1]/', ['must have a name and not an IP address']],
    ['https://localhost/', ['must have a public name']],
    ['https://LOCALHOST./', ['must have a public name']],
    ['https://metadata.google.internal/', ['must have a public name']],
    [
      'ftp://ann@10.0.0.1:21/',
      ['must begin with https://', 'must not name a user or a password', 'must have a name and not an IP address'],
    ],
    ['example.com', ['must be an address that begins with https://']],
  ])('%s: %j', (url, faults) => {
    expect(targetFaults(url, { allowPrivate: false })).toEqual(faults);
  });

  it('may be private for development, but not the port of mail', () => {
    expect(targetFaults('http://127.0.0.1:8080/', { allowPrivate: true })).toEqual([]);
    expect(targetFaults('http://127.0.0.1:25/', { allowPrivate: true })).toEqual(['must have the port 443 or 8443']);
  });
});
