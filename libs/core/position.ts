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
 * The most that the wager can still cost the user. An open offer may be matched, and then costs its amount only if the
 * outcome is `loss`, so offers count there. The half outcomes lie between the two scenarios, but for their rounding: half
 * a millionth for each bet at most (docs/decisions/0019-halves-and-exposure.md).
 */
export const exposureOf = ({ win, loss, offered }: Pick<Position, 'win' | 'loss' | 'offered'>): Micros => {
  const costIfWin = asMicros(-win);
  const costIfLoss = asMicros(offered - loss);
  return maximumOf(ZERO, maximumOf(costIfWin, costIfLoss));
};
