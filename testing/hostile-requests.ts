import fc from 'fast-check';
import { buildRequest, type Field, type RequestForm } from './request-forms.js';

// Malformed and malicious requests. fast-check chooses the changes, so the same seed sends the same requests.

/** Marks JSON that JSON.stringify cannot write. */
const RAW = /"@raw:([A-Za-z0-9+/=]*)@"/g;
const raw = (json: string) => `@raw:${Buffer.from(json).toString('base64')}@`;
const toJson = (value: unknown): string =>
  JSON.stringify(value).replaceAll(RAW, (_all, text: string) => Buffer.from(text, 'base64').toString());

/** Some in one of this many cases, else undefined. */
const seldom = <Some>(some: fc.Arbitrary<Some>, times: number): fc.Arbitrary<Some | undefined> =>
  fc.oneof({ weight: times - 1, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: some });

const nested = (levels: number, open: string, close: string) => raw(`${open.repeat(levels)}1${close.repeat(levels)}`);

const texts = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\ud800',
  'a\udc00\ud800b',
  'NaN',
  'Infinity',
  '-1',
  '1e400',
  '0x1F',
  '9'.repeat(400),
  '١٢٣',
  "' OR 1=1 --",
  "x'; DROP TABLE accounts; --",
  '$1',
  '{1,2,NULL}',
  '"}]',
  '\\',
  '%',
  '_%\\',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a template would evaluate it
  '${7*7}',
  '{{constructor.constructor("return process")()}}',
  '<script>alert(1)</script>',
  '__proto__',
  'constructor',
  '../../../../etc/passwd',
  'a\r\nX-Injected: yes',
  '\u202e\ufeff\u0000',
  'İ'.repeat(200),
  '😀'.repeat(128),
  'a'.repeat(20_000),
  'a,'.repeat(5_000),
  '2026-02-30',
  '2026-13-45T99:99:99Z',
  '999999999999999',
  'null',
  'undefined',
  'true',
];

const numbers = [0, -0, -1, 0.1, 1.5, 1e-7, 5e-324, 1e21, 1e308, -1e308, 2 ** 31, 2 ** 53, 2 ** 63, -(2 ** 63)];

/** Values of no field's type. Each breaks a program that treats it as a text or a list. */
export const wrongKinds: readonly unknown[] = [
  { toString: 1 },
  { toString: null, valueOf: null },
  { valueOf: 1 },
  { toJSON: 1 },
  // biome-ignore lint/suspicious/noThenProperty: a hostile body may have one.
  { then: 1 },
  { length: -1 },
  { length: 1 },
  { constructor: 1, hasOwnProperty: 1 },
  { test: 1, trim: 1, split: 1, includes: 1 },
  { 'Symbol(Symbol.toPrimitive)': 1 },
  [[[[]]]],
  [{ toString: 1 }],
  [null],
  null,
  true,
  1e308,
  -1,
  'constructor',
  'hasOwnProperty',
  'toString',
];

const text = fc.oneof(fc.constantFrom(...texts), fc.string({ unit: 'binary', maxLength: 300 }));

const value = fc.oneof(
  text,
  fc.constantFrom(...numbers),
  fc.constantFrom<unknown>(null, true, false, [], {}, [[]], { $gt: '' }),
  fc.constantFrom(...wrongKinds),
  fc.constantFrom(raw('1e400'), raw('-1e400'), raw('123456789012345678901234567890.123456789')),
  fc.constantFrom(nested(50, '[', ']'), nested(2_000, '[', ']'), nested(2_000, '{"a":', '}')),
  fc.constantFrom(raw('{"__proto__":{"polluted":true}}'), raw('{"constructor":{"prototype":{"polluted":true}}}')),
  fc.array(text, { maxLength: 5 }),
  fc.jsonValue(),
);

/** Changes of the whole body. */
const bodyTwist = fc.oneof(
  { weight: 5, arbitrary: fc.constant((json: string) => json) },
  {
    weight: 4,
    arbitrary: fc.constantFrom<((json: string) => string | Buffer)[]>(
      () => '',
      () => 'null',
      () => '[]',
      () => '[[]]',
      () => '"text"',
      () => '0',
      () => 'NaN',
      () => '{',
      (json) => json.slice(0, -1),
      (json) => `${json}${json}`,
      (json) => `\ufeff${json}`,
      (json) => `[${json}]`,
      (json) => json.replace('{', '{"__proto__":{"polluted":true},'),
      (json) => json.replace('{', '{"constructor":{"prototype":{"polluted":true}},'),
      (json) => json.replace('{', '{"unknown":1,"role":"admin","account_id":1,'),
      (json) => json.replace(/^\{(.*)\}$/s, '{$1,$1}'),
      (json) => json.replace('}', `${' '.repeat(300_000)}}`),
      (json) => `${json.slice(0, -1)},"padding":"${'x'.repeat(300_000)}"}`,
      (json) =>
        Buffer.concat([Buffer.from(json.slice(0, -1)), Buffer.from([0xff, 0xfe, 0xc0, 0x80]), Buffer.from('}')]),
      (json) => Buffer.from(json, 'utf16le'),
      () => `${'['.repeat(100_000)}${']'.repeat(100_000)}`,
      () => `{"a":`.repeat(40_000),
    ),
  },
);

/** Replaces one field of the body with all its content. */
const wholeTwist = seldom(fc.tuple(fc.nat(), value), 6);

const contentType = fc.oneof(
  { weight: 8, arbitrary: fc.constant({ 'Content-Type': 'application/json' }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom<Record<string, string>>(
      {},
      { 'Content-Type': 'text/plain' },
      { 'Content-Type': 'application/xml' },
      { 'Content-Type': 'multipart/form-data; boundary=x' },
      { 'Content-Type': 'application/json; charset=utf-7' },
      { 'Content-Type': 'application/json; charset=bogus' },
      { 'Content-Type': 'application/json;;;=' },
      { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' },
      { 'Content-Type': 'application/json', 'Content-Encoding': 'bogus' },
      { 'Content-Type': ''.padEnd(2_000, 'x/') },
    ),
  },
);

const queryTwist = fc.oneof(
  { weight: 5, arbitrary: fc.constant('') },
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      'a[b]=c&a[__proto__][polluted]=1',
      '__proto__=1&__proto__[polluted]=1&constructor=1&toString=1',
      'page=1&page=2&per_page=1&per_page=2&sort_by=id&sort_by=name',
      'page=-1&per_page=101',
      'page=1000000000&per_page=100',
      'sort_by=id;DROP+TABLE+users&sort_direction=asc--',
      'search=%25&search=_&meta_a=%00',
      'search=%00',
      'meta_=x&meta___proto__=y&meta_a-b=z',
      '%&%zz=%zz&=&&=',
      '%ED%A0%80=%ED%A0%80&%ff=%ff',
      `ids=${'1,'.repeat(5_000)}`,
      `account_ids=${'9'.repeat(30)},-1,0,1.5,NaN`,
      'created_after=NaN&created_before=9999999999999999&start_date=-1',
      'logout_all=maybe&include_bet_trails=2',
      `${'q'.repeat(7_000)}=1`,
    ),
  },
);

/** Sent without further encoding: a percent sign may start an invalid sequence. */
const pathTexts = [
  '%zz',
  '%',
  '%00',
  '%ED%A0%80',
  '%ff%fe',
  '..%2f..%2f',
  '%2e%2e',
  '0',
  '-1',
  '1.5',
  '1e3',
  '%D9%A3',
  'x'.repeat(4_000),
];

const pathPart = fc.oneof(
  fc.constantFrom(...pathTexts),
  text.map((given) => encodeURIComponent(given.toWellFormed())),
);

const headerTwist = fc.oneof(
  { weight: 4, arbitrary: fc.constant({}) },
  {
    weight: 4,
    arbitrary: fc.constantFrom<Record<string, string>>(
      { Authorization: 'Bearer' },
      { Authorization: 'Bearer  ' },
      { Authorization: `Bearer ${'x'.repeat(5_000)}` },
      { Authorization: 'Bearer 1.aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa' },
      { Authorization: `Bearer 999999999999999999.${'a'.repeat(43)}` },
      { Authorization: 'Basic' },
      { Authorization: 'Basic ====' },
      { Authorization: `Basic ${Buffer.from([0xff, 0x3a, 0xfe, 0x00]).toString('base64')}` },
      { Authorization: `Basic ${Buffer.from(`key_1_${'a'.repeat(24)}:'--`).toString('base64')}` },
      { Authorization: 'Negotiate abc' },
      { Authorization: '\u00ff\u0080' },
      { 'Idempotency-Key': '' },
      { 'Idempotency-Key': 'k'.repeat(256) },
      { 'Idempotency-Key': "'; DELETE FROM stored_answers; --" },
      { 'Idempotency-Key': '\u00e9' },
      { 'X-Request-Id': 'a\' " {} $x' },
      { 'X-Request-Id': 'i'.repeat(3_000) },
      { traceparent: '00-zz-zz-zz' },
      { traceparent: `00-${'0'.repeat(32)}-${'0'.repeat(16)}-00${'-x'.repeat(500)}` },
      { 'X-Forwarded-For': "1.2.3.4, ::ffff:1, bogus, '" },
      { 'X-HTTP-Method-Override': 'DELETE' },
      { Host: 'evil.example:99999' },
      { Expect: '200-maybe' },
      { Accept: 'text/html;q=nonsense', 'Accept-Encoding': 'bogus', Range: 'bytes=9-1', 'If-None-Match': '*' },
      { Cookie: `__proto__=1; ${'c=1; '.repeat(500)}` },
      { 'Transfer-Encoding': 'chunked' },
    ),
  },
);

const OTHER_METHODS = ['PUT', 'DELETE', 'OPTIONS', 'HEAD', 'PATCH', 'POST', 'GET', 'PROPFIND'];
const methodTwist = seldom(fc.constantFrom(...OTHER_METHODS), 15);

export interface HostileRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer | undefined;
}

const withQuery = (path: string, query: string) =>
  query === '' ? path : `${path}${path.includes('?') ? '&' : '?'}${query}`;

/**
 * A request of this form with up to three fields replaced, and changes of its path, query, headers and body. `right` has
 * valid values.
 */
export function hostileRequests(form: RequestForm, right: ReadonlyMap<Field, unknown>): fc.Arbitrary<HostileRequest> {
  const { fields } = form;
  const inPath = fields.filter(({ place }) => place === 'path');
  const elsewhere = fields.filter(({ place }) => place !== 'path');
  const spoilt = fc.tuple(
    fc.subarray(elsewhere, { maxLength: Math.min(3, elsewhere.length) }),
    fc.array(fc.tuple(value, text), { minLength: 3, maxLength: 3 }),
    inPath.length === 0 ? fc.constant(undefined) : seldom(pathPart, 2),
  );
  return fc
    .record({ spoilt, wholeTwist, bodyTwist, contentType, queryTwist, headerTwist, methodTwist })
    .map(({ spoilt: [chosen, values, part], ...twist }) => {
      const given = new Map(right);
      for (const [index, field] of chosen.entries()) {
        const [any, word] = values[index] ?? [];
        given.set(field, field.place === 'query' ? word?.toWellFormed() : any);
      }
      const { method, path, body } = buildRequest(form, given);
      const spoiltPath = part === undefined ? path : spoilPath(form, path, part);
      return {
        method: twist.methodTwist ?? method,
        path: withQuery(spoiltPath, twist.queryTwist),
        headers: { ...(body === undefined ? {} : twist.contentType), ...twist.headerTwist },
        body: body && twist.bodyTwist(toJson(spoilWhole(body, twist.wholeTwist))),
      };
    });
}

function spoilWhole(body: object, twist: [number, unknown] | undefined): object {
  const names = Object.keys(body);
  if (twist === undefined || names.length === 0) return body;
  return { ...body, [names[twist[0] % names.length] ?? '']: twist[1] };
}

/** Replaces the first parameter of the path. */
function spoilPath({ endpoint }: RequestForm, path: string, part: string): string {
  const names = endpoint.path.split('/');
  const index = names.findIndex((name) => name.startsWith(':'));
  const [before = '', query] = path.split('?');
  const parts = before.split('/');
  parts[index] = part;
  return `${parts.join('/')}${query === undefined ? '' : `?${query}`}`;
}
