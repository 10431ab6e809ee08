import { z } from 'zod';
import { type EventKind, eventKinds } from '#core/event-kind.js';
import { type Micros, numberFromMicros, type OddsMicros } from '#core/money.js';
import { encodePosition } from '#events/event-position.js';
import type { EventBet, EventTransaction, LogEvent } from '#reads/event.js';
import { decimal, id, text } from '../../fields/answers.js';
import { offerStatus, outcome } from '../../fields/enums.js';
import { transactionContent } from '../transactions/transaction.js';
import { detailFields, presentDetails } from './event-details.js';

export const eventTypes = Object.keys(eventKinds) as EventKind[];

export const eventType = z.enum(eventTypes).meta({
  id: 'EventType',
  description: 'What happened. New types may come: skip those that you do not know.',
  examples: ['bet.settled'],
});

export const cursorText = (description: string) => text(`${description} Opaque: give it back as \`after\`.`);

const number = (description: string) => z.int().min(1).meta({ description });

const actor = z
  .strictObject({
    kind: z.enum(['account', 'key', 'admin', 'command', 'worker', 'unknown']).meta({
      description:
        'The account with a token (`account`) or an API key (`key`), an admin (`admin`), a command of an operator (`command`), or the background work that a request has left (`worker`).',
    }),
    account_id: id('Of the caller.').nullable(),
    api_key_id: id('Of the API key that it called with.').nullable(),
    name: text('Of the command.').nullable(),
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
  rest_bet_id: id('The new bet with what is left of the offer; only where something is.').optional(),
});

export const eventExample = {
  seq: 4711,
  cursor: 'AQAAAAAAAAAHAAAAAAAAEmcP2Zb5uXE',
  type: 'bet.settled',
  at: '2026-01-15T20:45:12.123456Z',
  group: { first: 4700, last: 4731 },
  actor: { kind: 'worker', account_id: null, api_key_id: null, name: null },
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
      reference: 'TX_9f2c4b7a1d3eA',
      amount: 15,
      description: 'Bet settled: win',
      transaction_type: 'credit',
      transaction_source: 'bet',
      balance_after: 115,
    },
  ],
};

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
    bet: eventBet.optional().meta({ description: 'The bet as the step left it.' }),
    transactions: z.array(eventTransaction).optional().meta({ description: 'What it moved.' }),
    ...detailFields,
  })
  .meta({ id: 'Event', description: 'An entry of the event log of an account.', examples: [eventExample] });

export type ShownEvent = z.output<typeof event>;

const numberOrNull = (value: Micros | OddsMicros | null) => (value === null ? null : numberFromMicros(value));
const idOrNull = (found: bigint | null) => (found === null ? null : Number(found));

const MICROSECONDS_IN_MS = 1_000n;

/** JavaScript's dates have milliseconds. */
export function momentText(at: bigint): string {
  const whole = new Date(Number(at / MICROSECONDS_IN_MS)).toISOString().slice(0, -1);
  return `${whole}${String(at % MICROSECONDS_IN_MS).padStart(3, '0')}Z`;
}

const presentEventTransaction = (found: EventTransaction): z.output<typeof eventTransaction> => ({
  id: Number(found.id),
  user_id: Number(found.userId),
  reference: found.reference,
  amount: numberFromMicros(found.amount),
  description: found.description,
  transaction_type: found.transactionType,
  transaction_source: found.transactionSource,
  balance_after: numberFromMicros(found.balanceAfter),
});

function presentEventBet(bet: EventBet, restBetId: unknown): z.output<typeof eventBet> {
  return {
    id: Number(bet.id),
    offer_status: bet.offerStatus,
    outcome: bet.outcome,
    override_outcome: bet.overrideOutcome,
    requesting_user_id: Number(bet.requestingUserId),
    requesting_odds: numberFromMicros(bet.requestingOdds),
    requesting_amount: numberFromMicros(bet.requestingAmount),
    accepting_user_id: idOrNull(bet.acceptingUserId),
    effective_odds: numberOrNull(bet.effectiveOdds),
    effective_amount: numberOrNull(bet.effectiveAmount),
    ...(bet.allowedAcceptorIds.length === 0 ? {} : { allowed_acceptor_ids: bet.allowedAcceptorIds.map(Number) }),
    ...(restBetId === undefined ? {} : { rest_bet_id: Number(restBetId) }),
  };
}

export function presentEvent(accountId: bigint, found: LogEvent): z.output<typeof event> {
  const { kind, accountId: callerId, apiKeyId, name } = found.actor;
  return {
    seq: Number(found.seq),
    cursor: encodePosition(accountId, found),
    type: found.type,
    at: momentText(found.at),
    group: { first: Number(found.firstSeq), last: Number(found.lastSeq) },
    actor: { kind, account_id: idOrNull(callerId), api_key_id: idOrNull(apiKeyId), name },
    request_id: found.requestId,
    ...presentDetails(found),
    ...(found.bet === undefined ? {} : { bet: presentEventBet(found.bet, found.extra.rest_bet_id) }),
    ...(found.transactions.length === 0 ? {} : { transactions: found.transactions.map(presentEventTransaction) }),
  };
}
