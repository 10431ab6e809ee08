import type { z } from 'zod';
import type { Endpoint } from '#apps/api/endpoint.js';

// The possible requests to an endpoint, from the schemas that validate it, for tests that try every field of every route.

export type Place = 'path' | 'query' | 'body';
type Schema = z.core.$ZodType;

/** One value of a request. An array of objects gets one element. */
export interface Field {
  readonly place: Place;
  /** Its position: `['operations', 0, 'data', 'bet_id']`. */
  readonly path: readonly (string | number)[];
  /** The last name in the path. */
  readonly name: string;
  readonly schema: Schema;
  readonly isRequired: boolean;
  readonly isArray: boolean;
}

/** One shape of a request to an endpoint: each choice in a schema gives a form. */
export interface RequestForm {
  readonly endpoint: Endpoint;
  readonly fields: readonly Field[];
}

interface Definition {
  readonly type: string;
  readonly innerType?: Schema;
  readonly in?: Schema;
  readonly out?: Schema;
  readonly element?: Schema;
  readonly shape?: Readonly<Record<string, Schema>>;
  readonly options?: readonly Schema[];
  readonly values?: readonly unknown[];
}

const definitionOf = (schema: Schema) => schema._zod.def as unknown as Definition;

/** Wrappers that make a value optional. */
const WRAPPERS = new Set(['optional', 'nullable', 'default', 'prefault']);

function unwrapped(schema: Schema): { readonly schema: Schema; readonly isRequired: boolean } {
  const { type, innerType } = definitionOf(schema);
  if (innerType === undefined || !WRAPPERS.has(type)) return { schema, isRequired: true };
  return { schema: unwrapped(innerType).schema, isRequired: false };
}

/** Whether the schema is an object, or a union of objects. */
function hasFields(given: Schema): boolean {
  const { schema } = unwrapped(given);
  const { type, shape, options, in: input } = definitionOf(schema);
  if (type === 'object') return Object.keys(shape ?? {}).length > 0;
  return type === 'union' ? (options ?? []).every(hasFields) : input !== undefined && hasFields(input);
}

const everyCombination = (parts: readonly (readonly Field[][])[]): Field[][] =>
  parts.reduce<Field[][]>((all, ways) => all.flatMap((some) => ways.map((way) => [...some, ...way])), [[]]);

type Spot = Pick<Field, 'place' | 'path' | 'name' | 'isRequired'>;

/** The fields of a schema, once for each choice in it. */
function waysOf(given: Schema, spot: Spot): Field[][] {
  const { schema, isRequired } = unwrapped(given);
  const at = { ...spot, isRequired: spot.isRequired && isRequired };
  const { in: input, element, shape, options } = definitionOf(schema);
  if (element !== undefined && hasFields(element)) return waysOf(element, { ...at, path: [...at.path, 0] });
  if (!hasFields(schema)) return [[{ ...at, schema, isArray: element !== undefined }]];
  if (options !== undefined) return options.flatMap((option) => waysOf(option, at));
  if (input !== undefined) return waysOf(input, at);
  const children = Object.entries(shape ?? {});
  return everyCombination(children.map(([name, child]) => waysOf(child, { ...at, name, path: [...at.path, name] })));
}

export function formsOf(endpoint: Endpoint): RequestForm[] {
  const parts = Object.entries({ path: endpoint.params, query: endpoint.query, body: endpoint.body });
  const ways = parts.map(([place, schema]) =>
    schema === undefined ? [[]] : waysOf(schema, { place: place as Place, path: [], name: place, isRequired: true }),
  );
  return everyCombination(ways).map((fields) => ({ endpoint, fields }));
}

/** The value of a field that allows only one. */
export function fixedValueOf({ schema }: Field): unknown {
  const { type, values } = definitionOf(schema);
  return type === 'literal' ? values?.[0] : undefined;
}

export const titleOf = ({ endpoint: { method, path }, fields }: RequestForm): string =>
  [method.toUpperCase(), path, ...fields.flatMap((field) => fixedValueOf(field) ?? [])].join(' ');

/** Whether a schema contains one of these at any depth. Copies of a schema share its definition. */
export function isMadeOf(schema: Schema, parts: readonly Schema[]): boolean {
  const definition = definitionOf(schema);
  if (parts.some((part) => definitionOf(part) === definition)) return true;
  const { innerType, in: input, out, element, options = [] } = definition;
  const inside = [innerType, input, out, element, ...options].filter((part) => part !== undefined);
  return inside.some((part) => isMadeOf(part, parts));
}

export interface BuiltRequest {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly body: object | undefined;
}

function put(target: Record<string | number, unknown>, path: Field['path'], value: unknown): void {
  const [name = '', ...rest] = path;
  if (rest.length === 0) {
    target[name] = value;
    return;
  }
  target[name] ??= typeof rest[0] === 'number' ? [] : {};
  put(target[name] as Record<string | number, unknown>, rest, value);
}

/** The request with these values; fields without one are left out. */
export function buildRequest({ endpoint }: RequestForm, values: ReadonlyMap<Field, unknown>): BuiltRequest {
  const body: Record<string, unknown> = {};
  const query = new URLSearchParams();
  let path = endpoint.path;
  for (const [field, value] of values) {
    if (field.place === 'path') path = path.replace(`:${field.name}`, encodeURIComponent(String(value)));
    else if (field.place === 'query') query.set(field.name, String(value));
    else put(body, field.path, field.isArray ? [value] : value);
  }
  const search = query.size === 0 ? '' : `?${query}`;
  const method = endpoint.method.toUpperCase();
  return { method, path: `${path}${search}`, body: endpoint.body === undefined ? undefined : body };
}
