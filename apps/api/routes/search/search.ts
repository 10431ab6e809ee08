import { z } from 'zod';
import * as fields from '#http/fields.js';
import { type Hit, hitKinds, MOST_HITS, searchLedger } from '#reads/search.js';
import { endpoint } from '../../endpoint.js';
import { id, moment, text } from '../../fields/answers.js';
import { accountId } from '../../fields/lists.js';
import { visibleAccount } from '../../guards/visible-accounts.js';

const hit = z
  .strictObject({
    kind: z.enum(hitKinds).meta({ description: 'What it is.' }),
    id: id('Its id; of an event its number.'),
    reference: text('What it is called; null: bets and events have only numbers.').nullable(),
    detail: text(
      "The user's name, the label of the wager's event, the bet's wager, the transaction's user, or the event's type.",
    ).nullable(),
    created_at: moment('When it was made.'),
  })
  .meta({
    id: 'SearchHit',
    examples: [
      { kind: 'wager', id: 3, reference: 'home-win', detail: 'final', created_at: '2026-01-15T18:36:00.000Z' },
    ],
  });

const presentHit = ({ kind, id: found, reference, detail, createdAt }: Hit): z.output<typeof hit> => ({
  kind,
  id: Number(found),
  reference,
  detail,
  created_at: createdAt,
});

export const searchAll = endpoint({
  method: 'get',
  path: '/search',
  tag: 'Search',
  summary: 'Find users, wagers, bets, transactions and events',
  description:
    'Users and wagers by any part of a reference or name, bets and transactions by id, transactions by either reference, wagers by the label of their event, events by number. What `q` names exactly comes first, then the newest. Older users and wagers than the newest 2,000 of each are found by three letters or digits in a row.',
  access: 'account',
  isList: true,
  query: z.object({
    q: fields
      .line()
      .transform((given) => given.trim())
      .meta({ description: 'What to look for. Capitals do not matter in parts of names.', examples: ['home'] }),
    account_id: accountId,
  }),
  answer: z
    .strictObject({
      data: z.array(hit).max(MOST_HITS),
      has_more: z.boolean().meta({ description: 'Whether others may match too.', examples: [false] }),
    })
    .meta({ id: 'SearchHits' }),
  async handle({ query, caller }, { database }) {
    const { hits, hasMore } = await searchLedger(database, visibleAccount(caller, query.account_id), query.q);
    return { data: hits.map(presentHit), has_more: hasMore };
  },
});
