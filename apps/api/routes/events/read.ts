import { z } from 'zod';
import * as fields from '#http/fields.js';
import { readEvent } from '#reads/event-log.js';
import { presentEvent } from '#reads/shown-event.js';
import { endpoint } from '../../endpoint.js';
import { dataWith } from '../../fields/answers.js';
import { accountId } from '../../fields/lists.js';
import { visibleAccount } from '../../guards/visible-accounts.js';
import { event } from './event.js';

export const eventRead = endpoint({
  method: 'get',
  path: '/events/:seq',
  tag: 'Events',
  summary: 'Read an event by its number',
  access: 'account',
  params: z.object({
    seq: fields.strictIntegerText
      .pipe(fields.idNumber)
      .meta({ description: 'The number of the event.', examples: [4711] }),
  }),
  query: z.object({ account_id: accountId }),
  answer: dataWith(event, 'Event retrieved'),
  refusals: ['event-not-found'],
  async handle({ params, query, caller }, { database }) {
    const account = visibleAccount(caller, query.account_id);
    const found = await readEvent(database.of(account), account, BigInt(params.seq));
    return { data: presentEvent(account, found), message: 'Event retrieved' };
  },
});
