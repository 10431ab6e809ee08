import { planAcceptance, planDecisionOf, planOffer } from './bet-requests.js';
import type { Client } from './client.js';
import { sendBatch } from './plan.js';
import { readSomething, readUsers } from './user-requests.js';
import { planClose, planResume, planSuspend, soon } from './wager-plans.js';

// Wagers of a hundred bets and more, made by batches of the largest size, and decided while others are still settling.
// At the end of the storm each is decided with the bets that it has.

const BATCH = 20;
const LEAST_BATCHES = 4;
const BATCHES_SPREAD = 5;
/** Each takes several offers; together they take most, not all. */
const ACCEPTANCES_PER_BATCH_OF_OFFERS = 4;

export async function playLargeWager(client: Client, finishing: AbortSignal): Promise<void> {
  const { chance, known } = client;
  const wager = known.newWager();
  // Many close before they are full.
  if (chance.happens(0.75)) await client.put('schedule', `/wagers/${wager}`, { closes_at: soon(client) });
  for (let batches = LEAST_BATCHES + chance.below(BATCHES_SPREAD); batches > 0; batches -= 1) {
    if (finishing.aborted) break;
    await sendBatch(
      client,
      Array.from({ length: BATCH }, () => planOffer(client, wager)),
    );
    const acceptances = Array.from({ length: ACCEPTANCES_PER_BATCH_OF_OFFERS }, () => planAcceptance(client, wager));
    await sendBatch(client, acceptances);
    if (chance.happens(0.15)) await sendBatch(client, [planSuspend(client, wager), planResume(client, wager)]);
    if (chance.happens(0.2)) await chance.pick([readUsers, readSomething])(client);
  }
  const closing = chance.happens(0.5) ? [planClose(client, wager)] : [];
  await sendBatch(client, [
    ...closing,
    planDecisionOf(wager, chance.pick(['win', 'loss', 'half-win', 'half-loss', 'push'])),
  ]);
}
