import { z } from 'zod';
import { actorTypes } from '#accounts/events/account-event.js';
import * as fields from '#http/fields.js';
import { type AccountEvent, listAccountEvents } from '#reads/account-event-list.js';
import { endpoint } from '../../endpoint.js';
import { id, moment, pageWith, text } from '../../fields/answers.js';
import { accountEventType } from '../../fields/enums.js';
import { listPage } from '../../fields/list-page.js';
import {
  accountIds,
  createdFrom,
  createdUntil,
  listQuery,
  oneOfEach,
  onlySort,
  sortDirection,
  timesAndOrderOf,
} from '../../fields/lists.js';
import { visibleAccounts } from '../../guards/visible-accounts.js';

const actor = z
  .strictObject({
    type: z.enum(actorTypes).meta({
      description:
        'The account itself, with its password or a token (`account`) or with an API key (`key`), an admin (`admin`), a command of a provider (`command`), or a caller without a right credential (`unknown`).',
    }),
    account_id: id('The account that called.').nullable(),
    api_key_id: id('Of the API key that it called with.').nullable(),
    operator_id: id('Who had logged in, or had made the key.').nullable(),
    name: text('Of the person; of a key or a command its name.').nullable(),
  })
  .meta({ id: 'Actor' });

const state = (description: string) => z.looseObject({}).nullable().meta({ description });

const accountEvent = z
  .strictObject({
    id: id('Its id.'),
    account_id: id('The account that it happened to.'),
    type: accountEventType,
    actor,
    address: text('Where the request came from; null: from no request, or from many addresses.').nullable(),
    before: state('What changed, as it was; null: nothing was there.'),
    after: state('What changed, after the change; null: nothing is there.'),
    request_id: text('The `X-Request-Id` of the answer to the request; null: there was none.').nullable(),
    created_at: moment('When it happened; of several attempts, the first.'),
  })
  .meta({
    id: 'AccountEvent',
    examples: [
      {
        id: 31,
        account_id: 7,
        type: 'role-changed',
        actor: { type: 'admin', account_id: 1, api_key_id: null, operator_id: 1, name: 'Ann' },
        address: '203.0.113.7',
        before: { role: 'business' },
        after: { role: 'admin' },
        request_id: '0b9c6a3e-6c39-4c3f-9a37-0f6f6a8f4a11',
        created_at: '2026-01-15T18:32:10.125Z',
      },
    ],
  });

const presentAccountEvent = (event: AccountEvent): z.output<typeof accountEvent> => ({
  id: Number(event.id),
  account_id: Number(event.accountId),
  type: event.type,
  actor: event.actor,
  address: event.address,
  before: event.before,
  after: event.after,
  request_id: event.requestId,
  created_at: event.createdAt,
});

export const accountEventList = endpoint({
  method: 'get',
  path: '/account-events',
  tag: 'Accounts',
  summary: 'List who did what to an account and its credentials',
  description:
    'An event is listed as soon as its cause is answered, a wrong login within 10 seconds. Wrong logins of a few seconds from one address are one event: `after.attempts` counts them, and its time is that of the first. Events are deleted after 400 days.',
  access: 'account',
  isList: true,
  refusals: ['answer-too-large'],
  query: listQuery({
    type: oneOfEach(accountEventType).meta({ description: 'Only of these types.' }),
    operator_id: fields.idText
      .transform(BigInt)
      .optional()
      .meta({ description: 'Only what this operator did, also with the keys that it made.', examples: [4] }),
    account_ids: accountIds,
    created_after: createdFrom,
    created_before: createdUntil,
    sort_by: onlySort('created_at'),
    sort_direction: sortDirection,
  }),
  answer: pageWith(accountEvent).meta({ id: 'AccountEventPage' }),
  async handle({ query, caller }, { database }) {
    const visible = visibleAccounts(caller, query.account_ids);
    const { page, frameOf } = listPage(query, { list: 'account-events', accountIds: visible });
    const list = await listAccountEvents(database.shared, {
      accountIds: visible,
      types: query.type,
      operatorId: query.operator_id,
      ...timesAndOrderOf(query),
      page,
    });
    return { data: list.items.map(presentAccountEvent), ...frameOf(list) };
  },
});
