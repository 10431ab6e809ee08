import { z } from 'zod';
import * as fields from '#http/fields.js';
import { readBet } from '#reads/read-bet.js';
import { bet } from '../answers/bet.js';
import { dataWith } from '../answers/fields.js';
import { endpoint } from '../endpoint.js';
import { trailFields, trailsWanted } from '../list-fields.js';
import { presentBet } from '../presenters/bet.js';

export const betRead = endpoint({
  method: 'get',
  path: '/bets/:id',
  tag: 'Bets',
  summary: 'Read a bet by id',
  access: 'account',
  status: 200,
  params: z.object({ id: fields.idText.meta({ description: 'The id of the bet.', examples: [21] }) }),
  query: z.object(trailFields),
  answer: dataWith(bet, 'Bet retrieved'),
  refusals: ['bet-unknown'],
  async handle({ params, query, caller }, { database }) {
    const wanted = { id: BigInt(params.id), trails: trailsWanted(query) } as const;
    const bet = await readBet(database, caller.account.accountId, wanted);
    return { data: presentBet(bet), message: 'Bet retrieved' };
  },
});
