import { z } from 'zod';
import { SHORT_AS_JSON, shortAsJson } from './short-json.js';

/** Open: a business may store keys of its own beside the one that this service reads. */
export const preferences = shortAsJson(
  z.looseObject({
    allow_negative_balance: z.boolean().optional().meta({
      description:
        'Whether offers, acceptances and withdrawals may leave less than the exposure. What a user has goes before what its account has.',
    }),
  }),
).meta({
  id: 'Preferences',
  description: `Open for keys of the business's own; ${SHORT_AS_JSON}.`,
  examples: [{ allow_negative_balance: false }],
});
