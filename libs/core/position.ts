import { asMicros, type Micros, maximumOf, ZERO } from './money.js';
import type { Position } from './records.js';

export const emptyPosition = (userId: bigint, wagerId: bigint): Position => ({
  userId,
  wagerId,
  win: ZERO,
  loss: ZERO,
  offered: ZERO,
});

/**
 * The worst the wager can still cost the user. Its offers may or may not be matched, and a matched one costs its amount
 * only if the outcome is `loss`, so that is where they count. The half outcomes lie between the two scenarios.
 */
export const exposureOf = ({ win, loss, offered }: Pick<Position, 'win' | 'loss' | 'offered'>): Micros => {
  const costIfWin = asMicros(-win);
  const costIfLoss = asMicros(offered - loss);
  return maximumOf(ZERO, maximumOf(costIfWin, costIfLoss));
};
