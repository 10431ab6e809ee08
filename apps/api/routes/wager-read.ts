import { z } from 'zod';
import * as fields from '#http/fields.js';
import { readWager } from '#reads/read-wager.js';
import { dataWith } from '../answers/fields.js';
import { wagerWithSettlement } from '../answers/wager.js';
import { endpoint } from '../endpoint.js';
import { accountId } from '../list-fields.js';
import { presentWagerWithSettlement } from '../presenters/wager.js';
import { visibleAccount } from '../visible-accounts.js';

export const wagerRead = endpoint({
  method: 'get',
  path: '/wagers/:reference',
  tag: 'Wagers',
  summary: 'Read a wager, and how far its bets are settled',
  access: 'account',
  status: 200,
  // It counts every bet of the wager.
  isList: true,
  params: z.object({
    reference: fields.reference.meta({ description: 'The wager, as the business calls it.', examples: ['home-win'] }),
  }),
  query: z.object({ account_id: accountId }),
  answer: dataWith(wagerWithSettlement, 'Wager retrieved'),
  refusals: ['wager-unknown'],
  async handle({ params, query, caller }, { database }) {
    const wager = await readWager(database, visibleAccount(caller, query.account_id), params.reference);
    return { data: presentWagerWithSettlement(wager), message: 'Wager retrieved' };
  },
});
