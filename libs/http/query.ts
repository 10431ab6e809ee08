import { type ParsedUrlQuery, parse as readText } from 'node:querystring';
import type { Request, RequestHandler } from 'express';
import { z } from 'zod';
import { ValidationError } from '#platform/errors/validation-error.js';
import { isListForm } from './fields.js';
import { assertSafeText, faultsOf, parse } from './request-input.js';

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
