import type { Endpoint } from '../endpoint.js';
import { acceptsIdempotencyKey } from '../idempotency-key.js';
import { keyParameter, lastEventIdParameter } from './headers.js';
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
    // The items of a list are separated by commas; the parameter is not repeated.
    ...(schema.type === 'array' ? { style: 'form', explode: false } : {}),
    schema,
    ...(location === 'path' ? { example } : {}),
  };
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
    ...propertiesOf(queryShown).map(([name, schema]): Parameter => {
      const parameter = parameterOf('query', name, schema, book);
      return required.includes(name) ? { ...parameter, required: true } : parameter;
    }),
    ...spreadParameter(queryShown),
    ...(endpoint.stream?.resumes ? [lastEventIdParameter] : []),
    ...(acceptsIdempotencyKey(endpoint) ? [{ $ref: `#/components/parameters/${keyParameter.name}` }] : []),
  ];
}
