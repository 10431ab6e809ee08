import { z } from 'zod';
import * as fields from '#http/fields.js';
import { readBet } from '#reads/read-bet.js';
import { endpoint } from '../../endpoint.js';
import { dataWith } from '../../fields/answers.js';
import { accountId } from '../../fields/lists.js';
import { visibleAccount } from '../../guards/visible-accounts.js';
import { bet, presentBet, trailFields, trailsWanted } from './bet.js';

export const betRead = endpoint({
  method: 'get',
  path: '/bets/:id',
  tag: 'Bets',
  summary: 'Read a bet by id',
  access: 'account',
  params: z.object({ id: fields.idText.meta({ description: 'The id of the bet.', examples: [21] }) }),
  query: z.object({ ...trailFields, account_id: accountId }),
  answer: dataWith(bet, 'Bet retrieved'),
  refusals: ['bet-not-found', 'too-many-trails', 'answer-too-large'],
  async handle({ params, query, caller }, { database }) {
    const wanted = { id: BigInt(params.id), trails: trailsWanted(query) } as const;
    const found = await readBet(database, visibleAccount(caller, query.account_id), wanted);
    return { data: presentBet(found), message: 'Bet retrieved' };
  },
});
