import type { Schemas } from '../history.js';
import { planAcceptance, planDecisionOf, planOffer } from './bet-requests.js';
import type { Client } from './client.js';
import { carryOut } from './plan.js';
import { farAhead, planClose, planResume, planSuspend, soon } from './wager-plans.js';

// Requests of a business that end betting, and those that must not succeed after them.

async function tryToBet(client: Client, wager: string): Promise<void> {
  const { chance } = client;
  for (let tries = chance.below(3); tries > 0; tries -= 1) {
    await carryOut(client, chance.pick([planOffer, planAcceptance])(client, wager));
  }
}

/** A doubt: betting stops, and mostly goes on. */
export async function suspendForAWhile(client: Client): Promise<void> {
  const { chance, known } = client;
  const wager = known.anyWager(chance);
  if (wager === undefined) return;
  await carryOut(client, planSuspend(client, wager));
  await tryToBet(client, wager);
  if (chance.happens(0.9)) await carryOut(client, planResume(client, wager));
  if (chance.happens(0.3)) await tryToBet(client, wager);
}

/** The end of a market: it is closed before its result is known. */
export async function closeAndDecide(client: Client): Promise<void> {
  const { chance, known } = client;
  const wager = known.nextToDecide();
  if (wager === undefined) return;
  await carryOut(client, planClose(client, wager));
  await tryToBet(client, wager);
  if (chance.happens(0.2)) await carryOut(client, planResume(client, wager));
  await carryOut(client, planDecisionOf(wager, chance.pick(['win', 'loss', 'push'])));
}

/** Sometimes of a wager on which nobody has bet yet. */
export async function schedule(client: Client): Promise<void> {
  const { chance, known } = client;
  const wager = known.anyWager(chance);
  if (wager === undefined) return;
  const body = chance.pick([
    // Twice: the worker must close some in a short storm.
    { closes_at: soon(client) },
    { closes_at: soon(client) },
    { closes_at: farAhead() },
    { closes_at: null, event: null, starts_at: null },
    { event: chance.pick(['final', 'semi-final']), starts_at: farAhead() },
    {},
  ]) satisfies Schemas['ScheduleWager'];
  await client.put('schedule', `/wagers/${wager}`, body);
}
