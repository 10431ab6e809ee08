import type { JsonSchema } from '#apps/api/openapi/json-schema.js';
import type { Answer, ApiDocument, ApiOperation, MediaType, Parameter, Reference } from '#apps/api/openapi/types.js';

// The OpenAPI document as TypeScript types for openapi-fetch. Biome formats the result.

type Properties = Readonly<Record<string, JsonSchema>>;

const literal = (value: unknown): string => JSON.stringify(value);

const comment = (...lines: readonly (string | undefined)[]): string => {
  const said = lines.filter((line) => line !== undefined && line !== '').map((line) => line?.replaceAll('*/', '* /'));
  if (said.length === 0) return '';
  return said.length === 1 ? `/** ${said[0]} */\n` : `/**\n * ${said.join('\n * ')}\n */\n`;
};

/** `#/components/schemas/Bet` as `components['schemas']['Bet']`. */
function referenceType(reference: string): string {
  const [, root = '', ...places] = reference.split('/');
  return root + places.map((place) => `[${literal(place)}]`).join('');
}

function propertyText(name: string, schema: JsonSchema, isRequired: boolean): string {
  const usual = schema.default === undefined ? undefined : `@default ${literal(schema.default)}`;
  return `${comment(schema.description, usual)}${literal(name)}${isRequired ? '' : '?'}: ${schemaType(schema)};`;
}

function objectType({ properties = {}, required = [], additionalProperties, patternProperties }: JsonSchema): string {
  const named = Object.entries(properties as Properties).map(([name, schema]) =>
    propertyText(name, schema, required.includes(name)),
  );
  const [pattern] = Object.values((patternProperties ?? {}) as Properties);
  const other = pattern ?? (typeof additionalProperties === 'object' ? additionalProperties : undefined);
  if (other !== undefined) named.push(`[key: string]: ${schemaType(other)};`);
  return named.length === 0 ? 'Record<string, unknown>' : `{ ${named.join('\n')} }`;
}

function typeNamed(type: string, schema: JsonSchema): string {
  switch (type) {
    case 'integer':
      return 'number';
    case 'array':
      return `(${schemaType((schema.items ?? {}) as JsonSchema)})[]`;
    case 'object':
      return objectType(schema);
    default:
      return type;
  }
}

interface Condition {
  readonly if: { readonly properties: Readonly<Record<string, { readonly enum: readonly string[] }>> };
  readonly then: { readonly required: readonly string[] };
  readonly else?: Condition;
}

/** One alternative for each step of the chain: after a look at the property that it is about, the others are there. */
function conditionalType(whole: string, { if: given, then: { required }, else: rest }: Condition): string {
  const [[name, { enum: values }]] = Object.entries(given.properties) as [[string, { enum: readonly string[] }]];
  const unionOf = (texts: readonly string[]) => texts.map(literal).join(' | ');
  const type = `Having<${whole}, ${literal(name)}, ${unionOf(values)}, ${unionOf(required)}>`;
  return rest === undefined ? type : `${type} | ${conditionalType(whole, rest)}`;
}

/** A type with values that are known, and open to others: the client's types name the known ones. */
const isOpen = (alternatives: readonly JsonSchema[]): boolean =>
  alternatives.length === 2 && alternatives[0]?.enum !== undefined && alternatives[1]?.type === 'string';

function schemaType(schema: JsonSchema): string {
  const { $ref, const: only, enum: values, type } = schema;
  if ($ref !== undefined) return referenceType($ref);
  if (only !== undefined) return literal(only);
  if (values !== undefined) return values.map(literal).join(' | ');
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (alternatives !== undefined) {
    return (isOpen(alternatives) ? alternatives.slice(0, 1) : alternatives).map(schemaType).join(' | ');
  }
  if (type === undefined) return 'unknown';
  return [type]
    .flat()
    .map((name) => typeNamed(name, schema))
    .join(' | ');
}

const contentType = (content: Readonly<Record<string, MediaType>> = {}): string =>
  `{ ${Object.entries(content)
    .map(([type, { schema }]) => `${literal(type)}: ${schemaType(schema)};`)
    .join(' ')} }`;

const answerType = (answer: Answer | Reference): string =>
  '$ref' in answer
    ? referenceType(answer.$ref)
    : `{ headers: { [name: string]: unknown }; content: ${contentType(answer.content)} }`;

function parametersText(place: Parameter['in'], parameters: readonly Parameter[]): string {
  const here = parameters.filter((parameter) => parameter.in === place);
  const properties = here.map(({ name, description, schema, required }) =>
    propertyText(name, { ...schema, description }, required === true),
  );
  if (properties.length === 0) return `${place}?: never;`;
  return `${place}${here.some(({ required }) => required) ? '' : '?'}: { ${properties.join('\n')} };`;
}

function operationText(operation: ApiOperation, document: ApiDocument): string {
  const { operationId, summary, description, requestBody, responses } = operation;
  const parameters = parametersOf(operation, document);
  const body =
    requestBody === undefined
      ? 'requestBody?: never;'
      : `requestBody${requestBody.required ? '' : '?'}: { content: ${contentType(requestBody.content)} };`;
  const places = (['query', 'header', 'path'] as const).map((place) => parametersText(place, parameters));
  const answers = Object.entries(responses).map(
    ([status, answer]) => `${'$ref' in answer ? '' : comment(answer.description)}${status}: ${answerType(answer)};`,
  );
  return `${comment(summary, description)}${operationId}: {
    parameters: { ${places.join('\n')} cookie?: never; };
    ${body}
    responses: { ${answers.join('\n')} };
  };`;
}

function parametersOf({ parameters = [] }: ApiOperation, { components }: ApiDocument): Parameter[] {
  return parameters.map((parameter) => {
    if (!('$ref' in parameter)) return parameter;
    const found = components.parameters[parameter.$ref.split('/').at(-1) ?? ''];
    if (found === undefined) throw new Error(`there is no ${parameter.$ref}`);
    return found;
  });
}

interface Placed {
  readonly method: string;
  readonly path: string;
  readonly operation: ApiOperation;
}

/** The client calls only endpoints that can answer with JSON: no pages, no metrics. */
const isJson = ({ operation }: Placed): boolean =>
  Object.values(operation.responses).every(
    (answer) => '$ref' in answer || answer.content === undefined || 'application/json' in answer.content,
  );

const placedIn = ({ paths }: ApiDocument): Placed[] =>
  Object.entries(paths)
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]): Placed => ({ method, path, operation })),
    )
    .filter(isJson);

function pathsText(placed: readonly Placed[]): string {
  const paths = [...new Set(placed.map(({ path }) => path))].map((path) => {
    const methods = placed.filter((one) => one.path === path);
    return `${literal(path)}: { ${methods
      .map(({ method, operation }) => `${method}: operations[${literal(operation.operationId)}];`)
      .join('\n')} };`;
  });
  return `export interface paths { ${paths.join('\n')} }`;
}

/** A schema with conditions is a union of what `<name>Fields` has. */
function schemaText([name, schema]: [string, JsonSchema]): string {
  if (schema.if === undefined) return `${comment(schema.description)}${name}: ${schemaType(schema)};`;
  const union = conditionalType(`components['schemas']['${name}Fields']`, schema as unknown as Condition);
  return `${comment(schema.description)}${name}: ${union};\n${name}Fields: ${schemaType(schema)};`;
}

const HAVING = `/** For each value of a property, the whole with it and with the parts that are there then. */
type Having<Whole, Name extends keyof Whole, Value, Parts extends keyof Whole> = Value extends unknown
  ? Omit<Whole, Name | Parts> & { [P in Name]: Value } & Required<Pick<Whole, Parts>> : never;`;

function componentsText({ components }: ApiDocument): string {
  const schemas = Object.entries(components.schemas).map(schemaText);
  const responses = Object.entries(components.responses).map(
    ([name, answer]) => `${comment(answer.description)}${name}: ${answerType(answer)};`,
  );
  return `export interface components {
    schemas: { ${schemas.join('\n')} };
    responses: { ${responses.join('\n')} };
  }`;
}

export function clientTypes(document: ApiDocument): string {
  const placed = placedIn(document);
  const keyed = placed
    .filter(({ operation }) => parametersOf(operation, document).some(({ name }) => name === 'Idempotency-Key'))
    .map(({ method, path }) => literal(`${method.toUpperCase()} ${path}`));
  return [
    "// Made from the API's document by `npm run client`: what is changed here is lost.",
    HAVING,
    pathsText(placed),
    `export interface operations { ${placed.map(({ operation }) => operationText(operation, document)).join('\n')} }`,
    componentsText(document),
    '/** The `Ledger-Error` of a refusal: docs/errors.md says what to do. */',
    `export type ErrorCode = components['schemas']['ErrorCode'];`,
    '/** They take an Idempotency-Key: sent again with the same one, nothing is done twice. */',
    `export const keyedOperations: ReadonlySet<string> = new Set([${keyed.join(', ')}]);`,
  ].join('\n\n');
}
