import { z } from 'zod';
import { errorCodes } from '#http/error-table.js';
import { commaList, integerText } from '#http/fields.js';
import { type ListedCall, listRefusedCalls } from '#reads/refused-call-list.js';
import { endpoint } from '../../endpoint.js';
import { id, moment, pageWith, text } from '../../fields/answers.js';
import { errorCode } from '../../fields/enums.js';
import { listPage } from '../../fields/list-page.js';
import { createdFilters, listQuery, newestFirst, oneOfEach, onlySort, timesAndOrderOf } from '../../fields/lists.js';

/** One that no call was answered with matches nothing. */
const statusText = integerText.pipe(z.int().min(1).max(9_999));

const call = z
  .strictObject({
    id: id('Its id.'),
    created_at: moment('When it was answered.'),
    method: text('Of the request.'),
    route: text('The pattern of its route, without ids and query.'),
    status: z.int().min(400).max(599).meta({ description: 'Of the answer.' }),
    code: errorCode,
    request_id: text('The `X-Request-Id` of the answer.'),
    key: z
      .strictObject({
        kind: z.enum(['api-key', 'session']).meta({ description: 'What it is.' }),
        id: id('Its id.'),
        name: text('Of an API key its name; null: a session has none.').nullable(),
      })
      .meta({ description: 'The credential of the request.' }),
  })
  .meta({
    id: 'RefusedCall',
    description: 'A call that was refused or failed.',
    examples: [
      {
        id: 12,
        created_at: '2026-01-15T18:32:10.125Z',
        method: 'POST',
        route: '/bets/make-offer',
        status: 400,
        code: 'offer-unfunded',
        request_id: '0b9c6a3e-6c39-4c3f-9a37-0f6f6a8f4a11',
        key: { kind: 'api-key', id: 4, name: 'server' },
      },
    ],
  });

const presentCall = (found: ListedCall): z.output<typeof call> => ({
  id: Number(found.id),
  created_at: found.createdAt,
  method: found.method,
  route: found.route,
  status: found.status,
  code: found.code,
  request_id: found.requestId,
  key: { kind: found.keyKind, id: Number(found.keyId), name: found.keyName },
});

export const requestLogList = endpoint({
  method: 'get',
  path: '/request-log',
  tag: 'Accounts',
  summary: 'List calls of the account that were refused or failed',
  description:
    'The newest first, unless asked otherwise, for 7 days. A call is listed about a second after its answer. Of an account with many, a sample: 200 at once from each process, then one a minute. Calls without a right credential belong to no account.',
  access: 'account',
  isList: true,
  query: listQuery({
    status: commaList(statusText)
      .transform((all) => (all.length === 0 ? undefined : all))
      .optional()
      .meta({ description: 'Only with these statuses.' }),
    code: oneOfEach(z.enum(errorCodes)).meta({ description: 'Only with these codes.' }),
    ...createdFilters,
    sort_by: onlySort('created_at'),
    sort_direction: newestFirst,
  }),
  answer: pageWith(call).meta({ id: 'RefusedCallPage' }),
  async handle({ query, caller }, { database }) {
    const { accountId } = caller.account;
    const { page, frameOf } = listPage(query, { list: 'request-log', accountId });
    const list = await listRefusedCalls(database.of(accountId), {
      accountId,
      statuses: query.status,
      codes: query.code,
      ...timesAndOrderOf(query),
      page,
    });
    return { data: list.items.map(presentCall), ...frameOf(list) };
  },
});
