import { z } from 'zod';
import { dateOf } from '#core/moment.js';
import { type Rejection, reject } from '#core/rejection.js';
import type { AnsweredWager, CloseWager, ResumeWager, SuspendWager } from '#core/wager-status.js';
import * as fields from '#http/fields.js';
import { endpoint } from '../../endpoint.js';
import { dataWith } from '../../fields/answers.js';
import { listedWager, presentWager, wagerPath } from './wager.js';

// The operations on a wager's status, and their routes. Batches have them too.

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

const suspendBody = z
  .strictObject({ reason, cancel_offers: cancelOffers })
  .meta({ id: 'SuspendWager', examples: [{ ...example, cancel_offers: true }] });
const closeBody = z.strictObject({ reason }).meta({ id: 'CloseWager', examples: [example] });

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
const resumeRefusals = [unknown, isClosed];
const closeRefusals = [unknown, isDecided];

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

interface StatusRoute<Body extends z.ZodType | undefined> {
  readonly verb: 'suspend' | 'resume' | 'close';
  readonly summary: string;
  readonly description: string;
  readonly body?: Body;
  readonly operationOf: (body: Body extends z.ZodType ? z.output<Body> : undefined, reference: string) => StatusChange;
  readonly done: string;
  readonly refusals: readonly Rejection[];
}

type StatusChange = SuspendWager | ResumeWager | CloseWager;

const statusRoute = <Body extends z.ZodType | undefined = undefined>({
  verb,
  operationOf,
  done,
  ...described
}: StatusRoute<Body>) =>
  endpoint({
    ...described,
    method: 'post',
    path: `/wagers/:reference/${verb}`,
    tag: 'Wagers',
    access: 'account',
    params: wagerPath,
    answer: dataWith(listedWager, done),
    handle({ params, body, caller, call }, { ledger }) {
      const { accountId } = caller.account;
      const present = (wager: AnsweredWager) => ({ data: presentAnswered(accountId, wager), message: done });
      return ledger.execute(accountId, operationOf(body, params.reference), { call, present });
    },
  });

export const wagerSuspend = statusRoute({
  verb: 'suspend',
  summary: 'Stop betting on a wager for now',
  description:
    'From the answer on, no offer is made and none is accepted. Its open offers keep their places, but for those with the persistence `cancel_on_suspend`, which are canceled. Canceling and deciding go on. A wager that is suspended stays as it is, also when a change request has suspended it and ends; with `cancel_offers` its offers are canceled.',
  body: suspendBody,
  operationOf: suspendOf,
  done: 'Wager suspended',
  refusals: suspendRefusals,
});

export const wagerResume = statusRoute({
  verb: 'resume',
  summary: 'Take bets on a suspended wager again',
  description: 'The offers that were left are open again, in their order. A wager that is open stays as it is.',
  operationOf: (_, reference) => resumeOf(reference),
  done: 'Wager resumed',
  refusals: resumeRefusals,
});

export const wagerClose = statusRoute({
  verb: 'close',
  summary: 'Stop betting on a wager for good',
  description:
    'No offer is made and none is accepted any more; only a decision follows. Its open offers stay until they are canceled or the decision expires them; those with the persistence `cancel_on_suspend` are canceled. A wager that is closed stays as it is.',
  body: closeBody,
  operationOf: closeOf,
  done: 'Wager closed',
  refusals: closeRefusals,
});
