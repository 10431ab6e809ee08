import { z } from 'zod';
import { listAttempts, readEndpoint } from '#webhooks/endpoint-rows.js';
import { attemptErrors, type WebhookAttempt } from '#webhooks/webhook-endpoint.js';
import { endpoint } from '../../endpoint.js';
import { count, id, moment, pageWith } from '../../fields/answers.js';
import { listPage } from '../../fields/list-page.js';
import { accountId, byId, createdFilters, listQuery, newestFirst, timesAndOrderOf } from '../../fields/lists.js';
import { visibleAccount } from '../../guards/visible-accounts.js';
import { endpointId, keyOf } from './webhook-endpoint.js';

export const attemptError = z.enum(attemptErrors).nullable().meta({
  description:
    'Why it was not taken: no answer within 15 s (`timeout`), an address that requests must not go to (`address-refused`), a name without one (`unknown-host`), no connection or one that ended (`not-reachable`), no trusted certificate (`tls`), no HTTP (`broken-answer`), another status than 2xx (`status`); null: it was taken.',
});

const attempt = z
  .strictObject({
    id: id('Its id.'),
    seq: z.int().min(1).nullable().meta({ description: 'The event, or the last one of a doorbell; null: a test.' }),
    at: moment('When it was sent.'),
    status: z.int().nullable().meta({ description: 'Of the answer; null: none came.' }),
    duration_ms: count('How long the answer took.'),
    error: attemptError,
  })
  .meta({
    id: 'WebhookAttempt',
    description: 'A request to a webhook endpoint.',
    examples: [{ id: 91, seq: 4711, at: '2026-01-15T20:45:12.301Z', status: 200, duration_ms: 34, error: null }],
  });

const presentAttempt = (found: WebhookAttempt): z.output<typeof attempt> => ({
  id: Number(found.id),
  seq: found.seq === null ? null : Number(found.seq),
  at: found.at,
  status: found.status,
  duration_ms: found.durationMs,
  error: found.error,
});

export const webhookAttemptList = endpoint({
  method: 'get',
  path: '/webhook-endpoints/:id/attempts',
  tag: 'Webhooks',
  summary: 'List the requests to a webhook endpoint',
  description: 'The newest first, unless asked otherwise. An attempt is listed for 30 days.',
  access: 'account',
  isList: true,
  params: z.object({ id: endpointId }),
  query: listQuery({ account_id: accountId, ...createdFilters, ...byId(newestFirst) }),
  answer: pageWith(attempt).meta({ id: 'WebhookAttemptPage' }),
  refusals: ['webhook-endpoint-not-found'],
  async handle({ params, query, caller }, { database }) {
    const account = visibleAccount(caller, query.account_id);
    const key = keyOf(account, params.id);
    await readEndpoint(database.of(account), key);
    const { page, frameOf } = listPage(query, { list: 'webhook-attempts', accountId: account, id: params.id });
    const list = await listAttempts(database, key, { page, ...timesAndOrderOf(query) });
    return { data: list.items.map(presentAttempt), ...frameOf(list) };
  },
});
