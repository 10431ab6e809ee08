import type { Schemas } from '../history.js';
import type { Client } from './client.js';
import type { Plan } from './plan.js';

// When betting ends: of a wager, and of an offer.

const SECOND_MS = 1_000;
const HOUR_MS = 3_600_000;
/** The time of some ends comes while the storm is on, that of others does not. */
const SOONEST_MS = 300;
const SOON_SPREAD_MS = 2_500;

/** The log does not tell when a cancel has found nothing left to cancel: an admin may then open an offer again that it meant. */
const takesCancels = ({ known }: Client): boolean => known.account.role !== 'corrected';

export const soon = ({ chance }: Client): string =>
  new Date(Date.now() + SOONEST_MS + chance.below(SOON_SPREAD_MS)).toISOString();
export const farAhead = (): string => new Date(Date.now() + 10 * HOUR_MS).toISOString();

/** What an offer says of its end: most offers nothing. */
export function endOfOffer(client: Client): Pick<Schemas['MakeOffer'], 'expires_at' | 'expires_in' | 'persistence'> {
  const { chance } = client;
  const isBound = takesCancels(client) && chance.happens(0.15);
  const persistence = isBound ? ({ persistence: 'cancel_on_suspend' } as const) : {};
  if (chance.happens(0.75)) return persistence;
  const end = chance.pick([
    { expires_in: 1 + chance.below(3) },
    { expires_at: soon(client) },
    { expires_in: (10 * HOUR_MS) / SECOND_MS },
  ]);
  return { ...persistence, ...end };
}

const reasonOf = (client: Client): { reason?: string } =>
  client.chance.happens(0.5) ? { reason: client.newName() } : {};

export const planSuspend = (client: Client, wager: string): Plan => ({
  type: 'suspend_wager',
  data: {
    wager_reference: wager,
    ...reasonOf(client),
    ...(takesCancels(client) && client.chance.happens(0.3) && { cancel_offers: true }),
  } satisfies Schemas['SuspendWagerInBatch'],
});

export const planResume = (_client: Client, wager: string): Plan => ({
  type: 'resume_wager',
  data: { wager_reference: wager } satisfies Schemas['ResumeWagerInBatch'],
});

export const planClose = (client: Client, wager: string): Plan => ({
  type: 'close_wager',
  data: { wager_reference: wager, ...reasonOf(client) } satisfies Schemas['CloseWagerInBatch'],
});
