import { z } from 'zod';
import { MAX_META_FIELDS } from '#accounts/users/user.js';
import type { TextMeta } from '#reads/meta-filter.js';
import { namesOnePage, pageFields } from './lists.js';

// Texts of the business's own, and the `meta_<key>` parameters by which a list is filtered by them.

const MAX_META_KEY = 100;
const MAX_META_VALUE = 1_000;
const metaKey = /^[A-Za-z0-9_]+$/;
const META_KEY_FAULT = 'must contain only letters, digits and underscores';

/** A string-to-string map that belongs to the business. */
export const textMeta = () =>
  z
    .record(z.string(), z.string().max(MAX_META_VALUE))
    .superRefine((fieldsOfMeta, context) => {
      const keys = Object.keys(fieldsOfMeta);
      if (keys.length > MAX_META_FIELDS) {
        context.addIssue({ code: 'custom', message: `must not have more than ${MAX_META_FIELDS} fields` });
      }
      for (const key of keys) {
        if (metaKey.test(key) && key.length <= MAX_META_KEY) continue;
        const fault = metaKey.test(key)
          ? `must be shorter than or equal to ${MAX_META_KEY} characters`
          : META_KEY_FAULT;
        context.addIssue({ code: 'custom', path: [key], message: `key ${fault}` });
      }
    })
    .meta({
      maxProperties: MAX_META_FIELDS,
      propertyNames: { type: 'string', pattern: metaKey.source, maxLength: MAX_META_KEY },
    });

const META_FILTER = 'meta_';

/** The query of a list with `meta_<key>` parameters: gathers them into one map. A row must match all of them. */
export const metaListQuery = <Filters extends z.ZodRawShape>(filters: Filters) =>
  namesOnePage(z.looseObject({ ...pageFields, ...filters }))
    .meta({
      patternProperties: { [`^${META_FILTER}${metaKey.source.slice(1)}`]: { type: 'string' } },
      maxProperties: MAX_META_FIELDS,
    })
    .transform((query, context) => {
      const given = Object.entries(query).filter(([name]) => name.startsWith(META_FILTER));
      if (given.length > MAX_META_FIELDS) {
        context.addIssue({ code: 'custom', message: `must not have more than ${MAX_META_FIELDS} meta filters` });
      }
      const wanted: [string, string][] = [];
      for (const [name, value] of given) {
        const key = name.slice(META_FILTER.length);
        if (!metaKey.test(key)) context.addIssue({ code: 'custom', path: [name], message: META_KEY_FAULT });
        else if (typeof value !== 'string')
          context.addIssue({ code: 'custom', path: [name], message: 'must be a string' });
        else wanted.push([key, value]);
      }
      return { ...query, meta: Object.fromEntries(wanted) as TextMeta };
    });
