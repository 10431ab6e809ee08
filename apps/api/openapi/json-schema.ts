import { z } from 'zod';
import { isTextForm } from '#http/fields.js';

export type JsonSchema = z.core.JSONSchema.BaseSchema;

/** Converts zod schemas to JSON Schema. Schemas with an `id` become components, and references point to them. */
export interface SchemaBook {
  ofRequest(schema: z.ZodType): JsonSchema;
  ofAnswer(schema: z.ZodType): JsonSchema;
  readonly components: Readonly<Record<string, JsonSchema>>;
}

const COMPONENTS = '#/components/schemas/';
const NULL = 'null';

export const schemaRef = (name: string): JsonSchema => ({ $ref: `${COMPONENTS}${name}` });

/** The component that a reference points to, or the schema itself. */
export function resolved(schema: JsonSchema, components: Readonly<Record<string, JsonSchema>>): JsonSchema {
  const { $ref } = schema;
  if ($ref === undefined) return schema;
  const component = components[$ref.slice(COMPONENTS.length)];
  if (component === undefined) throw new Error(`there is no component ${$ref}`);
  return component;
}

/** Turns `anyOf: [<a number>, null]` into one schema, which readers and tools understand more easily. */
function foldNull(schema: JsonSchema): JsonSchema {
  const { anyOf, ...rest } = schema;
  const [one, other, ...more] = anyOf ?? [];
  if (one === undefined || other?.type !== NULL || more.length > 0 || typeof one.type !== 'string') return schema;
  return {
    ...one,
    ...rest,
    type: [one.type, NULL] as never,
    ...(one.enum === undefined ? {} : { enum: [...one.enum, null] }),
  };
}

/** The type of a schema comes first, its description and examples last. */
const ranks: Readonly<Record<string, number>> = { $ref: -2, type: -1, description: 1, default: 2, examples: 3 };

const inOrder = (schema: JsonSchema): JsonSchema =>
  Object.fromEntries(Object.entries(schema).sort(([one], [other]) => (ranks[one] ?? 0) - (ranks[other] ?? 0)));

function tidy(schema: JsonSchema): JsonSchema {
  const each = (schemas: Readonly<Record<string, JsonSchema>>) =>
    Object.fromEntries(Object.entries(schemas).map(([name, one]) => [name, tidy(one)]));
  const { $ref, properties, items, additionalProperties, anyOf, oneOf } = schema;
  return inOrder(
    foldNull({
      ...schema,
      ...($ref && { $ref: $ref.replace('#/$defs/', COMPONENTS) }),
      ...(properties && { properties: each(properties as Record<string, JsonSchema>) }),
      ...(items && { items: tidy(items as JsonSchema) }),
      ...(typeof additionalProperties === 'object' && { additionalProperties: tidy(additionalProperties) }),
      ...(anyOf && { anyOf: anyOf.map(tidy) }),
      ...(oneOf && { oneOf: oneOf.map(tidy) }),
    }),
  );
}

/** Maps each value of the discriminator to its schema. */
function discriminatorOf({ discriminator: propertyName, options }: z.core.$ZodDiscriminatedUnionDef): object {
  const mapping = options.flatMap((option) => {
    const reference = `${COMPONENTS}${z.globalRegistry.get(option)?.id}`;
    return [...(option._zod.propValues?.[propertyName] ?? [])].map((value) => [String(value), reference]);
  });
  return { propertyName, mapping: Object.fromEntries(mapping) };
}

const pick = (from: Readonly<Record<string, unknown>>, key: string): object =>
  from[key] === undefined ? {} : { [key]: from[key] };

/** The default of a number in a query is text, but the document describes the number. */
const shownDefault = (value: unknown, { type }: JsonSchema): unknown =>
  typeof value === 'string' && (type === 'number' || type === 'integer') ? Number(value) : value;

export function createSchemaBook(answers: 'open' | 'closed' = 'open'): SchemaBook {
  const components: Record<string, JsonSchema> = {};

  function turn(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
    const {
      $schema: _,
      $defs = {},
      ...found
    } = z.toJSONSchema(schema, {
      target: 'draft-2020-12',
      io,
      // Answers hold Dates, which JSON writes as text.
      unrepresentable: ({ zodSchema }) =>
        zodSchema._zod.def.type === 'date' ? { type: 'string', format: 'date-time' } : undefined,
      override: ({ zodSchema, jsonSchema }) => complete(zodSchema, jsonSchema, io),
    });
    for (const [name, component] of Object.entries($defs)) {
      const tidied = tidy(component);
      if (JSON.stringify(components[name] ?? tidied) !== JSON.stringify(tidied)) {
        throw new Error(`two schemas are called ${name}`);
      }
      components[name] = tidied;
    }
    return tidy(found);
  }

  /** Callers must take fields that come later. */
  function leaveOpen(json: JsonSchema): void {
    if (answers === 'open' && json.additionalProperties === false) delete json.additionalProperties;
  }

  /** Adds what zod leaves out because it concerns the output of a value and not its input. */
  function complete(schema: z.core.$ZodTypes, json: JsonSchema, io: 'input' | 'output'): void {
    const { def } = schema._zod;
    const { id: _, ...meta } = z.globalRegistry.get(schema) ?? {};
    if (def.type === 'pipe' && isTextForm(def.in)) {
      for (const key of Object.keys(json)) delete json[key];
      Object.assign(json, turn(def.out as z.ZodType, io), meta);
    }
    if (io === 'output') leaveOpen(json);
    if (def.type === 'default' || def.type === 'prefault') json.default = shownDefault(def.defaultValue, json) as never;
    if (def.type === 'union' && 'discriminator' in def) {
      json.discriminator = discriminatorOf(def as z.core.$ZodDiscriminatedUnionDef);
    }
    Object.assign(json, pick(meta, 'examples'), pick(meta, 'default'));
  }

  return {
    ofRequest: (schema) => turn(schema, 'input'),
    ofAnswer: (schema) => turn(schema, 'output'),
    components,
  };
}
