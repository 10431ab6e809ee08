import { type JsonSchema, resolved } from './json-schema.js';

/** The example of a schema, or one assembled from the examples of its parts. */
export function exampleOf(schema: JsonSchema, components: Readonly<Record<string, JsonSchema>>): unknown {
  const [given] = schema.examples ?? [];
  if (given !== undefined) return given;
  if (schema.$ref !== undefined) return exampleOf(resolved(schema, components), components);
  const { const: only, enum: values, default: usual, oneOf, properties, items, type } = schema;
  const known = only ?? usual ?? values?.[0];
  if (known !== undefined) return known;
  if (oneOf?.[0] !== undefined) return exampleOf(oneOf[0], components);
  if (properties !== undefined) {
    const entries = Object.entries(properties as Record<string, JsonSchema>);
    return Object.fromEntries(entries.map(([name, property]) => [name, exampleOf(property, components)]));
  }
  if (items !== undefined) return [exampleOf(items as JsonSchema, components)];
  throw new Error(`no example can be made of ${type}: ${schema.description}`);
}
