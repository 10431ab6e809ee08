import { z } from 'zod';
import { listSessions, type Session } from '#reads/credential-lists.js';
import { endpoint } from '../../endpoint.js';
import { id, moment, pageWith, text } from '../../fields/answers.js';
import { listPage } from '../../fields/list-page.js';
import { byId, createdFilters, listQuery, newestFirst, timesAndOrderOf } from '../../fields/lists.js';
import { ownOperatorOf } from '../../guards/visible-accounts.js';
import { operatorName } from '../operators/operator.js';

const session = z
  .strictObject({
    id: id('Its id.'),
    operator: operatorName.meta({ description: 'Who has logged in.' }),
    created_at: moment('When its login was.'),
    expires_at: moment('When it ends by itself.'),
    last_used_at: moment('When its token was last used, up to two minutes behind; null: not yet.').nullable(),
    address: text('Where its login came from; null: not known.').nullable(),
    current: z.boolean().meta({ description: 'Whether it is the one of this request.' }),
  })
  .meta({
    id: 'Session',
    description: 'What a login began: a living access token.',
    examples: [
      {
        id: 12,
        operator: { id: 4, name: 'Ann' },
        created_at: '2026-01-15T18:32:10.125Z',
        expires_at: '2026-01-16T18:32:10.125Z',
        last_used_at: '2026-01-15T18:40:00.000Z',
        address: '203.0.113.7',
        current: true,
      },
    ],
  });

const presentSession = (found: Session, callersId: bigint | undefined): z.output<typeof session> => ({
  id: Number(found.id),
  operator: { id: Number(found.operatorId), name: found.operatorName },
  created_at: found.createdAt,
  expires_at: found.expiresAt,
  last_used_at: found.lastUsedAt,
  address: found.address,
  current: found.id === callersId,
});

export const accountSessionList = endpoint({
  method: 'get',
  path: '/auth/account/sessions',
  tag: 'Accounts',
  summary: 'List sessions',
  description:
    'Of an owner, those of all people; of others, their own; of a key with another role, none. The newest first, unless asked otherwise.',
  access: 'account',
  isList: true,
  query: listQuery({ ...createdFilters, ...byId(newestFirst) }),
  answer: pageWith(session).meta({ id: 'SessionPage' }),
  async handle({ query, caller }, { database, accounts }) {
    const { accountId } = caller.account;
    const operatorId = ownOperatorOf(caller);
    const { page, frameOf } = listPage(query, { list: 'sessions', accountId, operatorId });
    const list = await listSessions(database.shared, accountId, {
      ...timesAndOrderOf(query),
      operatorId,
      page,
      now: accounts.now(),
    });
    return { data: list.items.map((found) => presentSession(found, caller.tokenId)), ...frameOf(list) };
  },
});
