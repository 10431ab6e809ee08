import { z } from 'zod';
import type { Caller } from '#accounts/access/authenticator.js';
import { changeOwnPreferences, readAccount } from '#accounts/accounts.js';
import type { AccountsContext } from '#accounts/accounts-context.js';
import { type Approvals, isLooser } from '#accounts/approvals.js';
import { askForPreferences } from '#approvals/preferences-requests.js';
import { Unauthorized } from '#http/errors.js';
import * as fields from '#http/fields.js';
import { Refusal } from '#platform/errors/refusal.js';
import { AcceptedAnswer, endpoint } from '../../endpoint.js';
import { dataWith } from '../../fields/answers.js';
import { accountPreferences, approvals, confirmAmountsAbove, requireSecondFactor } from '../../fields/preferences.js';
import { approvalRequired, personOf, presentRequired } from '../../guards/approval.js';
import { provenHashOf } from '../../guards/proven-password.js';

const RETRIEVED = 'Preferences retrieved';
const UPDATED = 'Preferences updated';

export const accountPreferencesRead = endpoint({
  method: 'get',
  path: '/auth/account/preferences',
  tag: 'Accounts',
  summary: 'The preferences of the account that is calling',
  access: 'account',
  answer: dataWith(accountPreferences, RETRIEVED),
  async handle({ caller }, { accounts }) {
    const { preferences } = await readAccount(accounts.database.shared, caller.account.accountId);
    return { data: preferences, message: RETRIEVED };
  },
});

/** Whether less would need approval: that needs approval itself. */
async function isLoosening(
  { approvals: after }: { readonly approvals?: Approvals | null | undefined },
  { account }: Caller,
  { database }: Pick<AccountsContext, 'database'>,
): Promise<boolean> {
  if (after === undefined) return false;
  const { preferences } = await readAccount(database.shared, account.accountId);
  return isLooser(preferences.approvals, after);
}

export const accountPreferencesUpdate = endpoint({
  method: 'patch',
  path: '/auth/account/preferences',
  tag: 'Accounts',
  summary: 'Change the preferences that an account sets itself',
  description:
    'Needs a bearer token. To set `confirm_keys` from true to false takes the password. To set `require_second_factor` takes a second factor of the own. Admins change the other preferences.',
  access: 'bearer',
  limit: 'address',
  freshProof: ({ require_second_factor: required }) => required === false,
  body: z
    .strictObject({
      confirm_keys: z.boolean().optional().meta({
        description: 'Whether making an API key, and making or changing a webhook endpoint, takes the password.',
      }),
      require_second_factor: requireSecondFactor,
      confirm_amounts_above: confirmAmountsAbove.nullable(),
      approvals: approvals.nullish().meta({
        description:
          'Which operations another person must approve; null: none. It takes two active people who may approve. Once it is set, less needs approval only when another person approves that.',
      }),
      password: fields.secret.nullish().meta({
        description: "The account's password: needed to set `confirm_keys` from true to false.",
      }),
    })
    .meta({ id: 'ChangePreferences', examples: [{ confirm_keys: true }] }),
  carriesSecret: true,
  answer: dataWith(accountPreferences, UPDATED),
  accepted: approvalRequired,
  refusals: [
    'password-needed',
    'current-password-wrong',
    'own-second-factor-first',
    'approval-required',
    'approvals-need-two',
    'change-request-pending',
  ],
  async handle({ body, caller, cause }, { accounts, passwords, limits }) {
    const context = { ...accounts, cause };
    const { accountId } = caller.account;
    const { password, ...changed } = body;
    if (await isLoosening(changed, caller, accounts)) {
      if (Object.keys(changed).length > 1) throw new Refusal('approval-required');
      const request = { accountId, approvals: changed.approvals ?? null, reason: null, maker: personOf(caller) };
      return new AcceptedAnswer(presentRequired(await askForPreferences(context, request)));
    }
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
