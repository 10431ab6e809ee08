import { z } from 'zod';
import type { EventKind } from '#core/records.js';
import { eventTypes } from '#events/event-types.js';
import { decimal, id, text } from '../../fields/answers.js';
import { offerStatus, outcome } from '../../fields/enums.js';
import { shownMeta } from '../bets/offer.js';
import { transactionContent } from '../transactions/transaction.js';
import { type DetailName, detailFields } from './event-details.js';

/** Open: a client that is made from the document must take types that come later. */
export const eventType = z.union([z.enum(eventTypes), z.string()]).meta({
  id: 'EventType',
  description: 'What happened. New types may come: skip those that you do not know.',
  examples: ['bet.settled'],
});

export const cursorText = (description: string) =>
  text(`${description} Opaque: give it back as \`after\`, or as \`before\` for what came earlier.`);

const number = (description: string) => z.int().min(1).meta({ description });

const actor = z
  .strictObject({
    kind: z.enum(['account', 'key', 'admin', 'command', 'worker', 'unknown']).meta({
      description:
        'The account with a token (`account`) or an API key (`key`), an admin (`admin`), a command of a provider (`command`), or the background work that a request has left (`worker`).',
    }),
    account_id: id('Of the caller.').nullable(),
    api_key_id: id('Of the API key that it called with.').nullable(),
    operator_id: id('Who had logged in, or had made the key.').nullable(),
    name: text('Of the operator as it was then, or of the command.').nullable(),
  })
  .meta({ id: 'EventActor' });

const { created_at: _shownAsAt, ...money } = transactionContent;
const eventTransaction = z.strictObject({ id: id('Its id.'), user_id: id('Whose balance moved.'), ...money });

const eventBet = z.strictObject({
  id: id('Its id.'),
  offer_status: offerStatus,
  outcome: outcome.meta({ description: 'By the override of the bet, else by the outcome of its wager.' }),
  override_outcome: outcome.nullable().meta({ description: 'An outcome of its own.' }),
  requesting_user_id: id('Who offered.'),
  requesting_odds: decimal('The odds that were offered.'),
  requesting_amount: decimal('The stake that was offered.'),
  accepting_user_id: id('Who accepted; null: nobody yet.').nullable(),
  effective_odds: decimal('The odds it was matched at; null: it was not.').nullable(),
  effective_amount: decimal('The amount it was matched for; null: it was not.').nullable(),
  allowed_acceptor_ids: z.array(id('A user.')).optional().meta({
    description: 'Who may accept; only on bets that not everybody may accept.',
  }),
  meta: shownMeta,
  rest_bet_id: id('The new bet with what is left of the offer; only where something is.').optional(),
});

export const eventExample = {
  seq: 4711,
  cursor: 'AQAAAAAAAAAHAAAAAAAAEmcP2Zb5uXE',
  type: 'bet.settled',
  at: '2026-01-15T20:45:12.123456Z',
  group: { first: 4700, last: 4731 },
  actor: { kind: 'worker', account_id: null, api_key_id: null, operator_id: null, name: null },
  request_id: '5f0c1c0e-3a8b-4d6c-9a51-2f6f0f9d7a11',
  wager: { id: 3, reference: 'home-win' },
  bet: {
    id: 21,
    offer_status: 'accepted',
    outcome: 'win',
    override_outcome: null,
    requesting_user_id: 12,
    requesting_odds: 2.5,
    requesting_amount: 10,
    accepting_user_id: 13,
    effective_odds: 2.5,
    effective_amount: 10,
  },
  transactions: [
    {
      id: 501,
      user_id: 12,
      reference: 'TX_019bc2f0a3801f5',
      amount: 15,
      description: 'Bet settled: win',
      transaction_type: 'credit',
      transaction_source: 'bet',
      balance_after: 115,
    },
  ],
};

const WAGER = ['wager'] as const;
const BET = ['wager', 'bet'] as const;
const USER = ['user'] as const;
const WEBHOOK = ['webhook_endpoint'] as const;
const REQUEST = ['change_request'] as const;

/** What an event of each type always has. */
const partsOf: Readonly<Record<EventKind, readonly (DetailName | 'bet' | 'transactions')[]>> = {
  'log.opened': ['opened'],
  'user.created': USER,
  'user.updated': USER,
  'user.disputed': ['user', 'disputed'],
  'user.undisputed': USER,
  'transaction.created': ['transactions'],
  'offer.made': BET,
  'offer.matched': BET,
  'offer.canceled': BET,
  'offer.expired': BET,
  'offer.reopened': BET,
  'bet.settled': BET,
  'bet.unsettled': BET,
  'bet.overridden': BET,
  'bet.activated': BET,
  'bet.deactivated': BET,
  'wager.created': WAGER,
  'wager.decided': WAGER,
  'wager.corrected': WAGER,
  'wager.settled': WAGER,
  'wager.canceling': ['wager', 'canceling'],
  'wager.suspended': WAGER,
  'wager.resumed': WAGER,
  'wager.closed': WAGER,
  'wager.changed': WAGER,
  'account.updated': ['account'],
  'webhook.created': WEBHOOK,
  'webhook.updated': WEBHOOK,
  'webhook.disabled': WEBHOOK,
  'webhook.deleted': WEBHOOK,
  'change_request.created': REQUEST,
  'change_request.approved': REQUEST,
  'change_request.executed': REQUEST,
  'change_request.rejected': REQUEST,
  'change_request.withdrawn': REQUEST,
  'change_request.expired': REQUEST,
  'change_request.failed': REQUEST,
};

/** The same as JSON Schema: a chain, which tools that do not know it pass over. Nothing is required of a type that is not known. */
function conditionsOf(parts: Readonly<Record<string, readonly string[]>>): object {
  const byParts = new Map<string, string[]>();
  for (const [type, required] of Object.entries(parts)) {
    const key = required.join();
    byParts.set(key, [...(byParts.get(key) ?? []), type]);
  }
  return [...byParts].reduceRight<object>(
    (rest, [required, types]) => ({
      if: { properties: { type: { enum: types } } },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: { required: required.split(',') },
      ...(Object.keys(rest).length > 0 && { else: rest }),
    }),
    {},
  );
}

export const event = z
  .strictObject({
    seq: number('Its number in the log of the account: 1, 2, 3, … without a gap, in the order of the commits.'),
    cursor: cursorText('Its position.'),
    type: eventType,
    at: text('When it was committed, to the microsecond. Never earlier than that of the event before it.').meta({
      format: 'date-time',
    }),
    group: z
      .strictObject({ first: number('The first of them.'), last: number('The last of them.') })
      .meta({ description: 'The numbers of the events of the same operation.' }),
    actor,
    request_id: text('The `X-Request-Id` of the answer to the request that caused it.').nullable(),
    reason: text(
      'Why an offer ended by itself: at its time (`time`), because its wager was suspended or closed (`suspended`), or because a timer of the business fired (`timer`). Of a wager: what the business gave as the reason.',
    ).optional(),
    bet: eventBet.optional().meta({ description: 'The bet as the step left it.' }),
    transactions: z.array(eventTransaction).optional().meta({ description: 'What it moved.' }),
    ...detailFields,
  })
  .meta({
    id: 'Event',
    description: 'An entry of the event log of an account.',
    examples: [eventExample],
    ...conditionsOf(partsOf),
  });

/** The server knows all types. */
export type ShownEvent = z.output<typeof event> & { readonly type: EventKind };
