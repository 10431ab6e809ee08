import { z } from 'zod';
import { answerWith } from '#accounts/accounts-context.js';
import { logOut } from '#accounts/sessions.js';
import * as fields from '#http/fields.js';
import { endpoint } from '../../endpoint.js';
import { messageOnly } from '../../fields/answers.js';

export const accountLogout = endpoint({
  method: 'post',
  path: '/auth/logout/account',
  tag: 'Accounts',
  summary: 'End the access token used, or every token of the operator',
  description: 'Needs a bearer token. A suspended account may call it.',
  access: 'bearer',
  endsAccess: true,
  withoutSecondFactor: true,
  query: z.object({
    logout_all: fields.booleanText.default(false).meta({ description: 'End every token of the operator.' }),
  }),
  answer: messageOnly('Logged out', 'Logged out everywhere'),
  handle({ query, caller, cause, call }, { accounts }) {
    const tokens = { id: caller.tokenId ?? 0n, all: query.logout_all };
    return answerWith({ ...accounts, cause }, call.idempotency, {
      use: (context) =>
        logOut(context, { accountId: caller.account.accountId, operatorId: caller.operator?.id ?? 0n }, tokens),
      present: () => ({ message: query.logout_all ? 'Logged out everywhere' : 'Logged out' }),
    });
  },
});
