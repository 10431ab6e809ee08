import { numberFromMicros } from '#core/money.js';
import type { Position } from '#positions/position-list.js';

export function presentPosition(position: Position): object {
  return {
    wager_id: Number(position.wagerId),
    wager_reference: position.wagerReference,
    win: numberFromMicros(position.win),
    loss: numberFromMicros(position.loss),
    offered: numberFromMicros(position.offered),
    exposure: numberFromMicros(position.exposure),
  };
}
