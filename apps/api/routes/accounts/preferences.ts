import { z } from 'zod';
import { changeOwnPreferences, readAccount } from '#accounts/accounts.js';
import { Unauthorized } from '#http/errors.js';
import * as fields from '#http/fields.js';
import { endpoint } from '../../endpoint.js';
import { dataWith } from '../../fields/answers.js';
import { accountPreferences, confirmAmountsAbove } from '../../fields/preferences.js';
import { provenHashOf } from '../../guards/proven-password.js';

const RETRIEVED = 'Preferences retrieved';
const UPDATED = 'Preferences updated';

export const accountPreferencesRead = endpoint({
  method: 'get',
  path: '/auth/account/preferences',
  tag: 'Accounts',
  summary: 'The preferences of the account that is calling',
  access: 'account',
  status: 200,
  answer: dataWith(accountPreferences, RETRIEVED),
  async handle({ caller }, { accounts }) {
    const { preferences } = await readAccount(accounts.database.shared, caller.account.accountId);
    return { data: preferences, message: RETRIEVED };
  },
});

export const accountPreferencesUpdate = endpoint({
  method: 'patch',
  path: '/auth/account/preferences',
  tag: 'Accounts',
  summary: 'Change the preferences that an account sets itself',
  description:
    'Needs a bearer token. To set `confirm_keys` from true to false takes the password. Admins change the other preferences.',
  access: 'bearer',
  limit: 'address',
  status: 200,
  body: z
    .strictObject({
      confirm_keys: z.boolean().optional().meta({
        description: 'Whether making an API key, and making or changing a webhook endpoint, takes the password.',
      }),
      confirm_amounts_above: confirmAmountsAbove.nullable(),
      password: fields.secret.nullish().meta({
        description: "The account's password: needed to set `confirm_keys` from true to false.",
      }),
    })
    .meta({ id: 'ChangePreferences', examples: [{ confirm_keys: true }] }),
  carriesSecret: true,
  answer: dataWith(accountPreferences, UPDATED),
  refusals: ['password-needed', 'current-password-wrong'],
  async handle({ body, caller, cause }, { accounts, passwords, limits }) {
    const context = { ...accounts, cause };
    const { accountId } = caller.account;
    const { password, ...changed } = body;
    const preferences = await changeOwnPreferences(context, {
      accountId,
      operatorId: caller.operator?.id,
      tokenId: caller.tokenId,
      changed,
      provenHash: await provenHashOf(context, { limits, passwords }, { caller, password }),
    });
    if (preferences === undefined) throw new Unauthorized();
    return { data: preferences, message: UPDATED };
  },
});
