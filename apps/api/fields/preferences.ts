import { z } from 'zod';

/** A page of a list has the preferences of up to 100 users. */
const MAX_PREFERENCES_CHARACTERS = 8_192;

/** Open: a business may store keys of its own beside the one that this service reads. */
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
