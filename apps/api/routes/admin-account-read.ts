import { z } from 'zod';
import { readAccount } from '#accounts/administration.js';
import * as fields from '#http/fields.js';
import { endpoint } from '../endpoint.js';
import { presentAccount } from '../presenters/account.js';

export const adminAccountRead = endpoint({
  method: 'get',
  path: '/admin/accounts/:id',
  summary: 'Read an account',
  access: 'admin',
  status: 200,
  params: z.object({ id: fields.idText }),
  async handle({ params }, { database }) {
    return { data: presentAccount(await readAccount(database, BigInt(params.id))), message: 'Account retrieved' };
  },
});
