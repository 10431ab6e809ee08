import { z } from 'zod';
import { MAX_META_FIELDS } from '#accounts/users/user.js';
import * as fields from '#http/fields.js';

export const metaKey = /^[A-Za-z0-9_]+$/;
export const META_KEY_FAULT = 'must contain only letters, digits and underscores';
const MAX_META_KEY = 100;
/** Lists carry them for a hundred users at once. */
const MAX_PREFERENCES_CHARACTERS = 8_192;
const MAX_META_VALUE = 1_000;

/** A string-to-string map of the business's own. */
export const meta = z
  .record(z.string(), z.string().max(MAX_META_VALUE))
  .superRefine((fieldsOfMeta, context) => {
    const keys = Object.keys(fieldsOfMeta);
    if (keys.length > MAX_META_FIELDS) {
      context.addIssue({ code: 'custom', message: `must not have more than ${MAX_META_FIELDS} fields` });
    }
    for (const key of keys) {
      if (metaKey.test(key) && key.length <= MAX_META_KEY) continue;
      const fault = metaKey.test(key) ? `must be shorter than or equal to ${MAX_META_KEY} characters` : META_KEY_FAULT;
      context.addIssue({ code: 'custom', path: [key], message: `key ${fault}` });
    }
  })
  .meta({
    id: 'UserMeta',
    description: "Texts of the business's own; users can be looked for by them.",
    maxProperties: MAX_META_FIELDS,
    propertyNames: { type: 'string', pattern: metaKey.source, maxLength: MAX_META_KEY },
    examples: [{ favourite_team: 'Rovers' }],
  });

/** Open: a business may keep keys of its own beside the one that this service reads. */
export const preferences = z
  .looseObject({
    allow_negative_balance: z.boolean().optional().meta({
      description:
        'Whether offers, acceptances and withdrawals may leave less than the exposure. What a user has goes before what its account has.',
    }),
  })
  .refine(
    (given) => JSON.stringify(given).length <= MAX_PREFERENCES_CHARACTERS,
    `must be shorter than or equal to ${MAX_PREFERENCES_CHARACTERS} characters as JSON`,
  )
  .meta({
    id: 'Preferences',
    description: `Open for keys of the business's own; at most ${MAX_PREFERENCES_CHARACTERS.toLocaleString('en')} characters as JSON.`,
    examples: [{ allow_negative_balance: false }],
  });

export const userName = fields.line().meta({ description: 'For people to read.' });

export const userIdPath = z.object({
  userId: fields.idText.meta({ description: 'The id of the user.', examples: [12] }),
});
export const userReferencePath = z.object({
  reference: fields.reference.meta({ description: 'The user, as the business calls it.', examples: ['ann'] }),
});
