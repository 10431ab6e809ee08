import { z } from 'zod';
import { logOut } from '#accounts/sessions.js';
import * as fields from '#http/fields.js';
import { endpoint } from '../endpoint.js';

export const accountLogout = endpoint({
  method: 'post',
  path: '/auth/logout/account',
  summary: 'End the access token used, or every token of the account',
  access: 'bearer',
  status: 200,
  query: z.object({ logout_all: fields.booleanText.default(false) }),
  async handle({ query, caller }, { accounts }) {
    const tokens = { id: caller.tokenId ?? 0n, all: query.logout_all };
    await logOut(accounts, caller.account.accountId, tokens);
    return { message: query.logout_all ? 'Logged out everywhere' : 'Logged out' };
  },
});
