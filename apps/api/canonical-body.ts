/** Data of the business's own: in them null is a value like any other. */
const FREE: ReadonlySet<string> = new Set(['meta', 'preferences']);

/** Whether null stands for "not given". Where a field is changed, it is a value: it takes the old one away. */
export interface Nulls {
  readonly areAbsent: boolean;
}

/** Bodies that mean the same become the same text: the order of the fields does not count. */
export const canonicalText = (body: unknown, nulls: Nulls): string => JSON.stringify(ordered(body, nulls.areAbsent));

function ordered(value: unknown, withoutNulls: boolean): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => ordered(item, withoutNulls));
  const given = value as Readonly<Record<string, unknown>>;
  const fields: Record<string, unknown> = {};
  for (const name of Object.keys(given).sort()) {
    const field = given[name];
    if (field === null ? !withoutNulls : field !== undefined) {
      fields[name] = ordered(field, withoutNulls && !FREE.has(name));
    }
  }
  return fields;
}
