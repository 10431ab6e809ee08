import { z } from 'zod';
import { encodePosition } from '#events/event-position.js';
import * as fields from '#http/fields.js';
import type { AccountTables, Tx } from '#platform/database/database.js';
import { Refusal } from '#platform/errors/refusal.js';
import { openAccountLog } from '#webhooks/delivered-events.js';
import { isTypeName } from '#webhooks/delivery-modes.js';
import type { ListedEndpoint } from '#webhooks/endpoint-rows.js';
import type { SecretBox } from '#webhooks/secret-box.js';
import { MAX_URL_LENGTH, targetFaults, URL_TEXT } from '#webhooks/target.js';
import { disabledReasons, type EndpointKey, endpointModes, endpointStates } from '#webhooks/webhook-endpoint.js';
import { count, id, moment, text } from '../../fields/answers.js';
import type { ApiServices } from '../../services.js';

const MAX_TYPES = 50;
const SHOWN_CHARACTERS = 100;

const mode = z.enum(endpointModes).meta({
  id: 'WebhookMode',
  description:
    'Events one at a time in the order of the log (`ordered`), in order for each wager and each user and 8 of these at once (`keyed`), or at most once a second a message that there are events to read (`doorbell`).',
  examples: ['ordered'],
});

const typeName = z
  .string()
  .min(1)
  .max(SHOWN_CHARACTERS)
  .refine(isTypeName, { error: ({ input }) => `must name types of events: ${input} is none` })
  .meta({ examples: ['wager.*'] });

const url = z
  .string()
  .min(1)
  .max(MAX_URL_LENGTH)
  .meta({ description: `Where requests go: ${URL_TEXT}.`, format: 'uri' });

const types = z.array(typeName).min(1).max(MAX_TYPES).meta({
  description: 'Which events: types, families such as `offer.*`, or `*` for all.',
});

const description = fields.line(200).nullable().meta({ description: 'What the business calls it.' });

export const password = fields.secret.nullish().meta({
  description: "The account's password: needed when its preference `confirm_keys` is true.",
});

const usual = 'Unless given, `doorbell` where `types` has events of single bets, else `ordered`.';

export const newEndpointBody = z
  .strictObject({
    url,
    types,
    mode: mode.nullish().meta({ description: usual }),
    description: description.optional(),
    password,
  })
  .meta({ id: 'CreateWebhookEndpoint', examples: [{ url: 'https://example.com/ledger', types: ['wager.*'] }] });

export const endpointChangesBody = z
  .strictObject({
    url: url.optional(),
    types: types.optional(),
    mode: mode.optional(),
    description: description.optional(),
    password,
  })
  .meta({ id: 'ChangeWebhookEndpoint', examples: [{ types: ['wager.*', 'account.updated'] }] });

export const endpointId = fields.idText.meta({ description: 'The id of the webhook endpoint.', examples: [3] });

/** The rules of addresses are those of the service. */
export function faultsOfTarget(body: unknown, { webhooks }: ApiServices): string[] {
  const { url: given } = body as { readonly url?: unknown };
  if (typeof given !== 'string' || given === '' || given.length > MAX_URL_LENGTH) return [];
  return targetFaults(given, webhooks.rules).map((fault) => `url ${fault}`);
}

export function secretBoxOf({ webhooks }: ApiServices): SecretBox {
  if (webhooks.secretBox === undefined) throw new Refusal('webhooks-off');
  return webhooks.secretBox;
}

const example = {
  id: 3,
  account_id: 7,
  url: 'https://example.com/ledger',
  description: null,
  types: ['wager.*'],
  mode: 'ordered',
  state: 'active',
  disabled_reason: null,
  failing_since: null,
  cursor: 'AQAAAAAAAAAHAAAAAAAAEmcP2Zb5uXE',
  behind: 0,
  old_secret_until: null,
  created_at: '2026-01-15T18:32:10.125Z',
  updated_at: '2026-01-15T18:32:10.125Z',
};

const endpointFields = {
  id: id('Its id.'),
  account_id: id('The account whose events it gets.'),
  url: text('Where requests go.'),
  description: text('What the business calls it.').nullable(),
  types: z.array(text('A type, a family of types, or `*`.')).meta({ description: 'Which events it gets.' }),
  mode,
  state: z.enum(endpointStates).meta({
    description:
      'It takes what is sent (`active`), something that it did not take waits for the next try (`failing`), or nothing is sent any more (`disabled`): `POST …/enable` goes on where it ended.',
  }),
  disabled_reason: z.enum(disabledReasons).nullable().meta({
    description:
      'It answered 410 (`gone`), something failed for 5 days (`failing`), a caller disabled it (`requested`), or all access to the account was ended (`access-ended`); null: it is not disabled.',
  }),
  failing_since: moment('Of what waits: the first failure; null: nothing has failed.').nullable(),
  cursor: text('Everything up to here was delivered, or is not of its types. A cursor of the event log.'),
  behind: count('How many events the log has after that, of all types.'),
  old_secret_until: moment(
    'Until then the secret before the last rotation signs as well; null: there is none.',
  ).nullable(),
  created_at: moment('When it was made.'),
  updated_at: moment('When it was last changed by a caller.'),
};

export const webhookEndpoint = z
  .strictObject(endpointFields)
  .meta({ id: 'WebhookEndpoint', description: 'Where the events of an account are sent.', examples: [example] });

export const newWebhookEndpoint = z
  .strictObject({
    ...endpointFields,
    secret: text('What signs its requests, `whsec_` and base64. It is shown only this once.'),
  })
  .meta({
    id: 'NewWebhookEndpoint',
    examples: [{ ...example, secret: `whsec_${Buffer.from('an example of the 32 bytes of it').toString('base64')}` }],
  });

const isAhead = (moment: Date | null): boolean => moment !== null && moment.getTime() > Date.now();

export type PresentedEndpoint = z.output<typeof webhookEndpoint>;

export async function presentEndpoint(tables: AccountTables | Tx, found: ListedEndpoint): Promise<PresentedEndpoint> {
  const { accountId, deliveredSeq, headSeq } = found;
  const position = await openAccountLog(tables, accountId).markOf(deliveredSeq);
  return {
    id: Number(found.id),
    account_id: Number(accountId),
    url: found.url,
    description: found.description,
    types: [...found.types],
    mode: found.mode,
    state: found.state,
    disabled_reason: found.disabledReason,
    failing_since: found.failingSince,
    cursor: encodePosition(accountId, position),
    behind: Number(headSeq - deliveredSeq),
    old_secret_until: isAhead(found.secretBeforeUntil) ? found.secretBeforeUntil : null,
    created_at: found.createdAt,
    updated_at: found.updatedAt,
  };
}

export const keyOf = (accountId: bigint, endpoint: number): EndpointKey => ({ accountId, id: BigInt(endpoint) });
