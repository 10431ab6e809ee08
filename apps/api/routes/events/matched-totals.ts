import { z } from 'zod';
import { numberFromSum } from '#core/money.js';
import { encodePosition } from '#events/event-position.js';
import { formerly } from '#http/request-input.js';
import { readMatchedTotals } from '#reads/matched-totals.js';
import { endpoint } from '../../endpoint.js';
import { count, decimal } from '../../fields/answers.js';
import { accountId, createdFrom, notBoth } from '../../fields/lists.js';
import { visibleAccount } from '../../guards/visible-accounts.js';
import { cursorText, eventExample } from './event.js';
import { positionIn } from './event-filters.js';

const query = z
  .object({
    after: z.string().optional().meta({
      description: 'A `cursor`, a `next` or a `Ledger-As-Of`: only what came after it. Without it: from the beginning.',
    }),
    created_after: formerly(createdFrom, 'created_from').meta({
      description:
        'Only what came at this moment or later; of one that is still to come, nothing. Not together with `after`.',
    }),
    account_id: accountId,
  })
  .refine(
    ({ after, created_after: from }) => after === undefined || from === undefined,
    notBoth('created_after', 'after'),
  );

const matchedTotals = z
  .strictObject({
    matched_bets: count('How many bets found an acceptor.'),
    matched_amount: decimal('What they were matched for, in all.'),
    next: cursorText('Where to go on: the last event that was looked at.'),
    head: cursorText('The end of the log at the moment of the answer.'),
    next_seq: z.int().meta({ description: 'The number of the event at `next`; 0 before the first event.' }),
    head_seq: z.int().meta({ description: 'The number of the last event at the moment of the answer.' }),
    has_more: z.boolean().meta({ description: 'Whether there is more between `next` and `head`.' }),
  })
  .meta({
    id: 'MatchedTotals',
    examples: [
      {
        matched_bets: 231,
        matched_amount: 4120.5,
        next: eventExample.cursor,
        head: eventExample.cursor,
        next_seq: eventExample.seq,
        head_seq: eventExample.seq,
        has_more: false,
      },
    ],
  });

export const eventMatchedTotals = endpoint({
  method: 'get',
  path: '/events/matched-totals',
  tag: 'Events',
  summary: 'Sum up what was matched since a moment',
  description:
    'From the events `offer.matched` of the log. A request looks at 100,000 events at most: while `has_more` says so, ask again with `next` as `after`, and add up the answers.',
  access: 'account',
  isList: true,
  query,
  answer: matchedTotals,
  refusals: ['history-restored'],
  async handle({ query: { after, created_after: from, account_id: account }, caller }, { database }) {
    const owner = visibleAccount(caller, account);
    const found = await readMatchedTotals(database, {
      accountId: owner,
      after: from ?? positionIn('after', after, owner),
    });
    return {
      matched_bets: Number(found.bets),
      matched_amount: numberFromSum(found.amount),
      next: encodePosition(owner, found.next),
      head: encodePosition(owner, found.head),
      next_seq: Number(found.next.seq),
      head_seq: Number(found.head.seq),
      has_more: found.next.seq < found.head.seq,
    };
  },
});
