import { z } from 'zod';
import { answerWith } from '#accounts/accounts-context.js';
import { changeMoneySettings } from '#accounts/money-settings.js';
import { Unauthorized } from '#http/errors.js';
import { endpoint } from '../../endpoint.js';
import { dataWith } from '../../fields/answers.js';
import { currency, decimals } from '../../fields/money-settings.js';

const UPDATED = 'Money settings updated';

export const accountMoneyUpdate = endpoint({
  method: 'patch',
  path: '/auth/account/money',
  tag: 'Accounts',
  summary: 'Set the currency and the decimals of an account',
  description:
    'Needs a bearer token. Only what is given changes; null takes it back. After the first offer or transaction of the account nothing of it changes any more.',
  access: 'bearer',
  limit: 'address',
  body: z
    .strictObject({ currency: currency.nullish(), decimals: decimals.nullish() })
    .meta({ id: 'ChangeMoneySettings', examples: [{ currency: 'EUR', decimals: 2 }] }),
  answer: dataWith(
    z
      .strictObject({ currency: currency.nullable(), decimals: decimals.nullable() })
      .meta({ id: 'MoneySettings', examples: [{ currency: 'EUR', decimals: 2 }] }),
    UPDATED,
  ),
  refusals: ['money-begun'],
  handle({ body, caller, cause, call }, { accounts }) {
    const { account, operator, tokenId } = caller;
    return answerWith({ ...accounts, cause }, call.idempotency, {
      use: (context) =>
        changeMoneySettings(context, {
          accountId: account.accountId,
          operatorId: operator?.id,
          tokenId,
          changed: body,
        }),
      present(settings) {
        if (settings === undefined) throw new Unauthorized();
        return { data: { currency: settings.currency, decimals: settings.decimals }, message: UPDATED };
      },
    });
  },
});
