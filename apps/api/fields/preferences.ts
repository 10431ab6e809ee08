import { z } from 'zod';
import * as fields from '#http/fields.js';
import { SHORT_AS_JSON, shortAsJson } from './short-json.js';

const allowNegativeBalance = z.boolean().optional().meta({
  description:
    "Whether offers, acceptances and withdrawals may leave less than the exposure. A user's own value goes before that of its account.",
});

export const confirmAmountsAbove = fields.plainAmount.optional().meta({
  description: 'The console asks once more before it sends an amount above this; 10000, unless given.',
});

const OPEN = `Open for keys of the business's own; ${SHORT_AS_JSON}.`;

/** Open: a business may store keys of its own beside those that this service reads. */
export const preferences = shortAsJson(z.looseObject({ allow_negative_balance: allowNegativeBalance })).meta({
  id: 'Preferences',
  description: OPEN,
  examples: [{ allow_negative_balance: false }],
});

export const accountPreferences = shortAsJson(
  z.looseObject({
    allow_negative_balance: allowNegativeBalance,
    confirm_keys: z.boolean().optional().meta({
      description:
        "Whether making an API key, and making or changing a webhook endpoint, takes the account's password in the body. The account sets it with `PATCH /auth/account/preferences`.",
    }),
    confirm_amounts_above: confirmAmountsAbove,
  }),
).meta({
  id: 'AccountPreferences',
  description: OPEN,
  examples: [{ allow_negative_balance: false, confirm_keys: true }],
});
