import { formerNamesOf } from '#http/request-input.js';
import type { Endpoint } from '../endpoint.js';
import { acceptsIdempotencyKey } from '../idempotency-key.js';
import { keyParameter, lastEventIdParameter, requestIdParameter } from './headers.js';
import { type JsonSchema, resolved, type SchemaBook } from './json-schema.js';
import type { Parameter, Reference } from './types.js';

const propertiesOf = ({ properties = {} }: JsonSchema) => Object.entries(properties as Record<string, JsonSchema>);

/** OpenAPI puts the description on the parameter, not on its schema. */
function parameterOf(location: 'path' | 'query', name: string, shown: JsonSchema, book: SchemaBook): Parameter {
  const { description = resolved(shown, book.components).description ?? '', ...schema } = shown;
  const [example] = schema.examples ?? [];
  return {
    name,
    in: location,
    description,
    ...(location === 'path' ? { required: true } : {}),
    // Commas separate the items of a list. The API takes a repeated parameter too, which a document cannot say as well.
    ...(schema.type === 'array' ? { style: 'form', explode: false } : {}),
    schema,
    ...(location === 'path' ? { example } : {}),
  };
}

/** A parameter of the query, and the same under its former names. */
function queryParameters(name: string, { formerNames, ...shown }: JsonSchema, book: SchemaBook): Parameter[] {
  const parameter = parameterOf('query', name, shown, book);
  const { default: _, ...schema } = parameter.schema;
  const former = formerNamesOf({ formerNames }).map((formerName): Parameter => {
    const description = `The former name of \`${name}\`.`;
    return { ...parameter, name: formerName, description, deprecated: true, schema };
  });
  return [parameter, ...former];
}

/** Parameters with names that the caller chooses: OpenAPI spreads the properties of an object over the query. */
function spreadParameter({ patternProperties, maxProperties }: JsonSchema): Parameter[] {
  if (patternProperties === undefined) return [];
  return [
    {
      name: 'meta',
      in: 'query',
      description:
        'Each `meta_<key>=<text>` in the query, like `meta_favourite_team=Rovers`: only those whose `meta` has exactly this text under this key. All of them must hold.',
      style: 'form',
      explode: true,
      schema: {
        type: 'object',
        patternProperties,
        ...(maxProperties === undefined ? {} : { maxProperties }),
        additionalProperties: false,
      },
      // An example with a property would filter every request that readers try out.
      example: {},
    },
  ];
}

export function parametersOf(endpoint: Endpoint, book: SchemaBook): (Parameter | Reference)[] {
  const { params, query } = endpoint;
  const inPath = params === undefined ? [] : propertiesOf(book.ofRequest(params));
  const queryShown = query === undefined ? {} : book.ofRequest(query);
  const required = queryShown.required ?? [];
  return [
    ...inPath.map(([name, schema]) => parameterOf('path', name, schema, book)),
    ...propertiesOf(queryShown).flatMap(([name, schema]) =>
      queryParameters(name, schema, book).map((parameter) =>
        required.includes(name) ? { ...parameter, required: true as const } : parameter,
      ),
    ),
    ...spreadParameter(queryShown),
    ...(endpoint.stream?.resumes ? [lastEventIdParameter] : []),
    ...(acceptsIdempotencyKey(endpoint) ? [{ $ref: `#/components/parameters/${keyParameter.name}` }] : []),
    { $ref: `#/components/parameters/${requestIdParameter.name}` },
  ];
}
