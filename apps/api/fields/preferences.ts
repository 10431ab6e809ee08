import { z } from 'zod';
import { approvalKinds } from '#accounts/approvals.js';
import * as fields from '#http/fields.js';
import { SHORT_AS_JSON, shortAsJson } from './short-json.js';

const allowNegativeBalance = z.boolean().optional().meta({
  description:
    "Whether offers, acceptances and withdrawals may leave less than the exposure. A user's own value goes before that of its account.",
});

/** No operation of a wager moves more. */
const MAX_ABOVE = 1_000_000_000;

export const confirmAmountsAbove = fields.plainAmount.optional().meta({
  description: 'The console asks once more before it sends an amount above this; 10000, unless given.',
});

export const approvals = z
  .strictObject({
    kinds: z
      .array(z.enum(approvalKinds))
      .min(1)
      .max(approvalKinds.length)
      .refine((kinds) => new Set(kinds).size === kinds.length, 'must not name a kind twice')
      .meta({ description: 'The operations that need approval.' }),
    above: z.number().min(0).max(MAX_ABOVE).meta({ description: 'Only when they move more than this.' }),
    expires_in: z
      .int()
      .min(60)
      .max(2_592_000)
      .meta({ description: 'After so many seconds a change request that waits has expired: up to 30 days.' }),
  })
  .meta({
    description: 'Which operations need the approval of a second person.',
    examples: [{ kinds: ['update_wager_outcome'], above: 1000, expires_in: 86_400 }],
  });

export const requireSecondFactor = z.boolean().optional().meta({
  description:
    'Whether operators without a second factor may only log in and add one. API keys go on. The account sets it with `PATCH /auth/account/preferences`.',
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
    require_second_factor: requireSecondFactor,
    confirm_amounts_above: confirmAmountsAbove,
    approvals: z.looseObject({}).optional().meta({
      description: 'Which operations need the approval of a second person. The people of the account alone set it.',
    }),
  }),
).meta({
  id: 'AccountPreferences',
  description: OPEN,
  examples: [{ allow_negative_balance: false, confirm_keys: true }],
});
