import { type ParsedUrlQuery, parse as readText } from 'node:querystring';
import express, { type Request, type RequestHandler } from 'express';
import { z } from 'zod';
import { ValidationError } from '#platform/errors/validation-error.js';
import { bodyTooLarge, endedTooEarly } from './errors.js';
import { isListForm } from './fields.js';

// What a request carries, read and checked.

/** As clients write it that send JSON without any option. */
const PLAIN = /^application\/json(?:; ?charset=utf-8)?$/i;
const BYTE_ORDER_MARK = '\ufeff';

/** Smaller bodies are not noted. */
const NOTED_BYTES = 512;
const noted = new WeakMap<object, number>();

export function noteBytes(request: object, { length }: Uint8Array): void {
  if (length > NOTED_BYTES) noted.set(request, length);
}

/** How many bytes the reader read as the body of a request, uncompressed. 0 for a small body, and for one that was not read. */
export const bodyBytesOf = (request: object): number => noted.get(request) ?? 0;

/** An object or an array: no endpoint takes any other value. */
function parseJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text);
    if (typeof value === 'object' && value !== null) return value;
  } catch {
    // Answered like a value of another kind.
  }
  throw new ValidationError(['body must be valid JSON']);
}

function isPlain({ headers }: Request, maxBytes: number): boolean {
  const length = Number(headers['content-length']);
  return (
    length > 0 &&
    length <= maxBytes &&
    headers['content-encoding'] === undefined &&
    PLAIN.test(headers['content-type'] ?? '')
  );
}

/**
 * Reads bodies of JSON. Almost every client sends one plainly, with its length: reading it takes a fraction of what
 * Express's own reader takes, which serves all others (compressed, in chunks, of another charset, too large).
 */
export function readJson(maxBytes: number): RequestHandler {
  const readAny = express.json({ limit: maxBytes, verify: (request, _, bytes) => noteBytes(request, bytes) });
  return (request, response, next) => {
    // Express's reader would read it to its end, however long it is, before it refuses it.
    if (Number(request.headers['content-length']) > maxBytes) throw bodyTooLarge(maxBytes);
    if (!isPlain(request, maxBytes)) return readAny(request, response, next);
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.once('error', () => next(endedTooEarly()));
    request.once('end', () => {
      try {
        const [first] = chunks;
        const bytes = chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks);
        noteBytes(request, bytes);
        request.body = parseJson(bytes.toString());
      } catch (error) {
        return next(error);
      }
      next();
    });
  };
}

type Issue = z.core.$ZodRawIssue;

const typeTexts: Record<string, string> = {
  string: 'must be a string',
  number: 'must be a number',
  int: 'must be an integer number',
  boolean: 'must be a boolean value',
  array: 'must be an array',
  object: 'must be an object',
  record: 'must be an object',
};

function sizeText(issue: Issue & { code: 'too_small' | 'too_big' }): string {
  const small = issue.code === 'too_small';
  const bound = String(small ? issue.minimum : issue.maximum);
  if (issue.origin === 'string') {
    if (small && bound === '1') return 'should not be empty';
    return `must be ${small ? 'longer' : 'shorter'} than or equal to ${bound} characters`;
  }
  if (issue.origin === 'array') {
    if (small && bound === '1') return 'should not be empty';
    return `must contain ${small ? 'at least' : 'no more than'} ${bound} elements`;
  }
  return `must not be ${small ? 'less' : 'greater'} than ${bound}`;
}

/** The text for one fault, without its path. Undefined selects the schema's own text. */
function issueText(issue: Issue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.input === undefined || issue.input === null) return 'should not be empty';
      return typeTexts[issue.expected] ?? `must be of type ${issue.expected}`;
    case 'too_small':
    case 'too_big':
      return sizeText(issue);
    case 'invalid_value':
      if (issue.input === undefined || issue.input === null) return 'should not be empty';
      return `must be one of the following values: ${issue.values.map(String).join(', ')}`;
    case 'invalid_format':
      return issue.format === 'email' ? 'must be an email' : undefined;
    default:
      return undefined;
  }
}

/** `operations[2].data.requesting_odds` */
function pathText(path: readonly PropertyKey[]): string {
  let text = '';
  for (const part of path) {
    if (typeof part === 'number') text += `[${part}]`;
    else text += text === '' ? String(part) : `.${String(part)}`;
  }
  return text;
}

/** What a request calls its fields, where it has other names for them. */
type GivenNames = ReadonlyMap<PropertyKey, string>;
const AS_THEY_ARE: GivenNames = new Map();

function faultTexts(issue: z.core.$ZodIssue, root: string, givenAs: GivenNames): string[] {
  const [first = '', ...inside] = issue.path;
  const path = pathText([givenAs.get(first) ?? first, ...inside]);
  if (issue.code === 'unrecognized_keys') {
    const prefix = path === '' ? '' : `${path}.`;
    return issue.keys.map((key) => `property ${prefix}${key} should not exist`);
  }
  return [`${path === '' ? root : path} ${issue.message}`];
}

/** Zod checks the length of all that has one. Of a value of the wrong type, its type is the only fault. */
function collectFaults({ issues }: z.ZodError, root: string, givenAs: GivenNames): string[] {
  const wrongTypes = new Set(issues.filter(({ code }) => code === 'invalid_type').map(({ path }) => pathText(path)));
  const told = issues.filter(({ code, path }) => code === 'invalid_type' || !wrongTypes.has(pathText(path)));
  return [...new Set(told.flatMap((issue) => faultTexts(issue, root, givenAs)))];
}

/** Parses, or throws a ValidationError that lists all faults at once. `root` names a fault without a path. */
export function parse<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  root = 'body',
  givenAs = AS_THEY_ARE,
): z.output<Schema> {
  // Only faults need texts.
  const silent = schema.safeParse(value);
  const parsed = silent.success ? silent : schema.safeParse(value, { error: issueText });
  if (parsed.success) return parsed.data;
  throw new ValidationError(collectFaults(parsed.error, root, givenAs));
}

/** The faults that a check throws; none when it passes. */
export function faultsOf(check: () => unknown): readonly string[] {
  try {
    check();
    return [];
  } catch (error) {
    if (error instanceof ValidationError) return error.faults;
    throw error;
  }
}

const MAX_DEPTH = 16;

function assertSafeKey(key: string, path: readonly PropertyKey[]): void {
  if (key !== '__proto__' && !key.includes('\0') && key.isWellFormed()) return;
  const name = pathText([...path, key])
    .replaceAll('\0', '\\0')
    .toWellFormed();
  throw new ValidationError([`property ${name} should not exist`]);
}

/** Half a surrogate pair is no character: PostgreSQL would store another text than the caller sent. */
export function assertSafeText(text: string, path: readonly PropertyKey[] = []): void {
  if (text.includes('\0')) throw new ValidationError([`${pathText(path) || 'body'} must not contain null characters`]);
  if (!text.isWellFormed()) throw new ValidationError([`${pathText(path) || 'body'} must be well-formed text`]);
}

/**
 * Refuses values that no field may contain, at any depth: null characters and broken surrogates (PostgreSQL cannot store
 * them), numbers that JSON cannot represent, keys that reach into JavaScript's own objects, and nesting deep enough to
 * exhaust the stack.
 */
export function assertSafeJson(value: unknown, path: PropertyKey[] = []): void {
  if (typeof value === 'string') assertSafeText(value, path);
  if (typeof value === 'number' && !Number.isFinite(value)) {
    throw new ValidationError([`${pathText(path) || 'body'} must be a finite number`]);
  }
  if (typeof value !== 'object' || value === null) return;
  if (path.length >= MAX_DEPTH) {
    throw new ValidationError([`${pathText(path)} must not be nested deeper than ${MAX_DEPTH} levels`]);
  }
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1) assertSafeChild(value[index], path, index);
    return;
  }
  for (const key of Object.keys(value)) {
    assertSafeKey(key, path);
    assertSafeChild((value as Record<string, unknown>)[key], path, key);
  }
}

/** One path serves all values: it is shown only in a fault. */
function assertSafeChild(value: unknown, path: PropertyKey[], key: PropertyKey): void {
  path.push(key);
  assertSafeJson(value, path);
  path.pop();
}

// A query is as strict as a body: each of its parameters has one name, and may keep former names beside it.

const META = 'meta_';
const LIST_SUFFIX = '[]';

/** Names of a caller's own choice, where the schema of a query takes them. */
const isMetaFilter = (name: string): boolean => name.startsWith(META);

/** A parameter that had other names: a request may use one of them in place of the present name. */
export const formerly = <Schema extends z.ZodType>(schema: Schema, ...formerNames: readonly string[]): Schema =>
  schema.meta({ formerNames });

export const formerNamesOf = (described: Readonly<Record<string, unknown>>): readonly string[] =>
  (described.formerNames ?? []) as readonly string[];

interface Parameter {
  readonly name: string;
  readonly isList: boolean;
}

/** What the query of an endpoint may have. */
export interface QueryForm {
  readonly schema: z.ZodType | undefined;
  /** By the names that a request may use. */
  readonly parameters: ReadonlyMap<string, Parameter>;
  readonly takesMeta: boolean;
  /** Programs that open the address add parameters of their own. */
  readonly ignoresOthers: boolean;
}

/** The object that a query is before its schema transforms it. */
function objectIn(schema: z.core.$ZodType): z.core.$ZodObjectDef {
  const { def } = schema._zod;
  if (def.type === 'pipe') return objectIn((def as z.core.$ZodPipeDef).in);
  if (def.type === 'object') return def as z.core.$ZodObjectDef;
  throw new TypeError(`The schema of a query is an object, not: ${def.type}`);
}

export function queryFormOf(schema: z.ZodType | undefined): QueryForm {
  const { shape, catchall } = schema === undefined ? { shape: {} } : objectIn(schema);
  const parameters = new Map<string, Parameter>();
  for (const [name, field] of Object.entries(shape)) {
    const parameter = { name, isList: isListForm(field) };
    for (const known of [name, ...formerNamesOf(z.globalRegistry.get(field) ?? {})]) parameters.set(known, parameter);
  }
  const others = catchall?._zod.def.type;
  return { schema, parameters, takesMeta: others === 'unknown', ignoresOthers: others === 'any' };
}

/** All parameters: Node.js reads the first thousand unless told otherwise, and would leave out a filter behind them. */
export const parseQueryText = (text: string | null): ParsedUrlQuery => readText(text ?? '', '&', '=', { maxKeys: 0 });

/** The parameter of a name; `a[]` is another writing of the list `a`. */
function parameterOf({ parameters, takesMeta }: QueryForm, given: string): Parameter | undefined {
  const known = parameters.get(given);
  if (known !== undefined) return known;
  if (takesMeta && isMetaFilter(given)) return { name: given, isList: false };
  const list = given.endsWith(LIST_SUFFIX) ? parameters.get(given.slice(0, -LIST_SUFFIX.length)) : undefined;
  return list?.isList ? list : undefined;
}

const bare = (given: string): string => given.replace(/\[\]$/, '');

const unknownFault = (name: string): string => `property ${name.replaceAll('\0', '\\0')} should not exist`;

/** A meta filter may look for the empty text, and an empty cursor begins a walk. */
const mayBeEmpty = (name: string): boolean => name === 'cursor' || isMetaFilter(name);

interface Sorted {
  readonly values: Record<string, string>;
  /** What the request calls each parameter. */
  readonly givenAs: Map<string, string>;
  readonly faults: string[];
}

function put({ values, givenAs, faults }: Sorted, { name, isList }: Parameter, called: string, texts: string[]): void {
  for (const text of texts) assertSafeText(text, [called]);
  const before = givenAs.get(name);
  if (before !== undefined && before !== called) faults.push(`${called} must not be given together with ${before}`);
  if (!isList && texts.length > 1) faults.push(`${called} must not be given more than once`);
  const value = isList ? texts.join(',') : (texts.find((text) => text !== '') ?? '');
  // `a` and `a[]` are two writings of one list.
  values[name] = before === called ? `${values[name]},${value}` : value;
  givenAs.set(name, called);
}

/** Puts each value under the present name of its parameter. An empty value of most parameters counts as absent. */
function sort(form: QueryForm, given: ParsedUrlQuery): Sorted {
  const sorted: Sorted = { values: {}, givenAs: new Map(), faults: [] };
  for (const [written, value = ''] of Object.entries(given)) {
    const parameter = parameterOf(form, written);
    if (parameter === undefined) {
      if (!form.ignoresOthers) sorted.faults.push(unknownFault(written));
    } else if (value !== '' || mayBeEmpty(parameter.name)) {
      put(sorted, parameter, parameter.isList ? bare(written) : written, [value].flat());
    }
  }
  return sorted;
}

/** Parses the query of a request, or throws all its faults. */
export function parseQuery(form: QueryForm, given: ParsedUrlQuery): unknown {
  const { values, givenAs, faults } = sort(form, given);
  const { schema } = form;
  const parsed = () => schema && parse(schema, values, 'query', givenAs);
  if (faults.length === 0) return parsed();
  throw new ValidationError([...faultsOf(parsed), ...faults]);
}

type Asked = Pick<Request, 'url' | 'query'>;

export const hasQuery = ({ url }: Pick<Asked, 'url'>): boolean => url.includes('?');

/** Most requests have no query: they run no parser of one. */
export function readQuery(form: QueryForm, request: Asked): unknown {
  if (hasQuery(request)) return parseQuery(form, request.query as ParsedUrlQuery);
  return form.schema && parse(form.schema, {}, 'query');
}

const NOTHING = queryFormOf(undefined);

/** For a route that takes no query. */
export const refuseQuery: RequestHandler = (request, _response, next) => {
  readQuery(NOTHING, request);
  next();
};
