import { z } from 'zod';
import { dateOf } from '#core/moment.js';
import { reject } from '#core/rejection.js';
import type { AnsweredWager, CloseWager, ResumeWager, SuspendWager } from '#core/wager-status.js';
import * as fields from '#http/fields.js';
import { presentWager } from './wager.js';

// The operations on a wager's status, alone and in batches.

const MAX_REASON = 200;

/** The ledger writes it where a change request suspends a wager, and resumes what has it. */
const OF_REQUEST = /^Change request \d+$/;

const reason = fields
  .line(MAX_REASON)
  .refine((text) => !OF_REQUEST.test(text), 'must not be that of a change request')
  .nullish()
  .meta({ description: 'Why; the wager and its event show it.' });
const cancelOffers = z.boolean().nullish().meta({
  description: 'Cancels all its open offers too, and not only those with the persistence `cancel_on_suspend`.',
  default: false,
});
const wagerReference = fields.reference.meta({ description: 'The wager, as the business calls it.' });

const example = { reason: 'Goal' };

export const suspendBody = z
  .strictObject({ reason, cancel_offers: cancelOffers })
  .meta({ id: 'SuspendWager', examples: [{ ...example, cancel_offers: true }] });
export const closeBody = z.strictObject({ reason }).meta({ id: 'CloseWager', examples: [example] });

export const suspendInBatch = z
  .strictObject({ wager_reference: wagerReference, ...suspendBody.shape })
  .meta({ id: 'SuspendWagerInBatch', examples: [{ wager_reference: 'home-win', ...example }] });
export const resumeInBatch = z
  .strictObject({ wager_reference: wagerReference })
  .meta({ id: 'ResumeWagerInBatch', examples: [{ wager_reference: 'home-win' }] });
export const closeInBatch = z
  .strictObject({ wager_reference: wagerReference, ...closeBody.shape })
  .meta({ id: 'CloseWagerInBatch', examples: [{ wager_reference: 'home-win', ...example }] });

export const suspendOf = (body: z.output<typeof suspendBody>, reference: string): SuspendWager => ({
  type: 'suspend_wager',
  wagerReference: reference,
  reason: body.reason ?? null,
  cancelOffers: body.cancel_offers ?? false,
});

export const resumeOf = (reference: string): ResumeWager => ({ type: 'resume_wager', wagerReference: reference });

export const closeOf = (body: z.output<typeof closeBody>, reference: string): CloseWager => ({
  type: 'close_wager',
  wagerReference: reference,
  reason: body.reason ?? null,
});

const unknown = reject('wager-not-found');
const isClosed = reject('wager-closed');
const isDecided = reject('wager-is-decided');
export const suspendRefusals = [unknown, isClosed, isDecided];
export const resumeRefusals = [unknown, isClosed];
export const closeRefusals = [unknown, isDecided];

const dateOrNull = (moment: bigint | null): Date | null => (moment === null ? null : dateOf(moment));

/** As the list shows it. */
export const presentAnswered = (accountId: bigint, { closesAt, startsAt, settlingSince, ...wager }: AnsweredWager) =>
  presentWager({
    ...wager,
    accountId,
    closesAt: dateOrNull(closesAt),
    startsAt: dateOrNull(startsAt),
    settlingSince: dateOrNull(settlingSince),
    createdAt: dateOf(wager.createdAt),
    updatedAt: dateOf(wager.updatedAt),
  });
