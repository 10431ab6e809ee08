import { z } from 'zod';
import * as fields from '#http/fields.js';
import type { ShownWager } from '#reads/wager.js';
import { id, moment, text } from '../../fields/answers.js';
import { outcome, wagerStatus } from '../../fields/enums.js';

export const wagerPath = z.object({
  reference: fields.reference.meta({ description: 'The wager, as the business calls it.', examples: ['home-win'] }),
});

export const wagerIdentity = {
  id: id('Its id.'),
  reference: text('What the business calls it; unique within the account.'),
  outcome,
  account_id: id('The account it belongs to.'),
};
export const wagerTimes = {
  created_at: moment('When it was first named.'),
  updated_at: moment('When its outcome, its status or its event changed last.'),
};
export const settling = { settling_since: moment('Since when bets wait for the worker; null: none does.').nullable() };

export const wagerClock = {
  status: wagerStatus,
  status_reason: text('What was given as the reason of the status; null: nothing.').nullable(),
  closes_at: moment('From then on it is `closed`; null: no time is set.').nullable(),
  event: text('The label of what it is one of several wagers on; null: it has none.').nullable(),
  starts_at: moment('When that starts. Nothing happens to the wager then. Null: no time is set.').nullable(),
  revision: z
    .int()
    .min(0)
    .meta({
      description: 'Grows with each decision, correction and change of status or `closes_at`, and not with offers.',
      examples: [0],
    }),
};

export const wagerExample = {
  id: 3,
  reference: 'home-win',
  outcome: 'undecided',
  account_id: 7,
  created_at: '2026-01-15T18:36:00.000Z',
  updated_at: '2026-01-15T18:36:00.000Z',
};

export const wager = z
  .strictObject({ ...wagerIdentity, ...wagerTimes })
  .meta({ id: 'Wager', description: 'What bets are made on.', examples: [wagerExample] });

export const wagerClockExample = {
  status: 'open',
  status_reason: null,
  closes_at: null,
  event: null,
  starts_at: null,
  revision: 0,
};
const listedWagerExample = { ...wagerExample, ...wagerClockExample, settling_since: null };

export const listedWager = z
  .strictObject({ ...wagerIdentity, ...wagerClock, ...settling, ...wagerTimes })
  .meta({ id: 'ListedWager', examples: [listedWagerExample] });

export function presentWager(found: ShownWager): z.output<typeof listedWager> {
  return {
    id: Number(found.id),
    reference: found.reference,
    outcome: found.outcome,
    account_id: Number(found.accountId),
    status: found.status,
    status_reason: found.statusReason,
    closes_at: found.closesAt,
    event: found.event,
    starts_at: found.startsAt,
    revision: found.revision,
    settling_since: found.settlingSince,
    created_at: found.createdAt,
    updated_at: found.updatedAt,
  };
}
