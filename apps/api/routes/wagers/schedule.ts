import { z } from 'zod';
import { momentOf } from '#core/moment.js';
import { reject } from '#core/rejection.js';
import * as fields from '#http/fields.js';
import { endpoint } from '../../endpoint.js';
import { presentAnswered } from './status-change.js';
import { listedWager, wagerPath } from './wager.js';

const scheduleBody = z
  .strictObject({
    closes_at: fields.bodyMoment.nullish().meta({
      description:
        'When the wager closes by itself, in the future. Null: at no time. Left out: as before. Once it has passed it stays.',
    }),
    event: fields.reference.nullish().meta({
      description:
        'A label for the wagers on one thing, for example a match. Null: none. Left out: as before. Also of a decided wager.',
    }),
    starts_at: fields.bodyMoment.nullish().meta({
      description: 'When that starts. Nothing happens to the wager then. Null: no time. Left out: as before.',
    }),
  })
  .meta({
    id: 'ScheduleWager',
    examples: [{ closes_at: '2099-01-15T18:00:00Z', event: 'final', starts_at: '2099-01-15T18:00:00Z' }],
  });

const momentOrAbsent = (date: Date | null | undefined): bigint | null | undefined =>
  date == null ? date : momentOf(date);

export const wagerSchedule = endpoint({
  method: 'put',
  path: '/wagers/:reference',
  tag: 'Wagers',
  summary: 'Set when a wager closes, and its event',
  description:
    'Makes the wager when there is none. From `closes_at` on, by the clock of the database, no offer is made and none is accepted.',
  access: 'account',
  params: wagerPath,
  body: scheduleBody,
  answer: z.strictObject({ data: listedWager }),
  refusals: [
    reject('malformed', 'closes_at must be in the future'),
    reject('wager-closed'),
    reject('wager-is-decided'),
  ],
  handle: ({ params, body, caller, call }, { ledger }) => {
    const { accountId } = caller.account;
    const operation = {
      type: 'schedule_wager',
      wagerReference: params.reference,
      closesAt: momentOrAbsent(body.closes_at),
      event: body.event,
      startsAt: momentOrAbsent(body.starts_at),
    } as const;
    return ledger.execute(accountId, operation, {
      call,
      present: (wager) => ({ data: presentAnswered(accountId, wager) }),
    });
  },
});
