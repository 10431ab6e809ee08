import type { z } from 'zod';
import { numberFromMicros } from '#core/money.js';
import type { Position } from '#reads/position-list.js';
import type { position as positionAnswer } from '../answers/wager.js';

export function presentPosition(position: Position): z.output<typeof positionAnswer> {
  return {
    wager_id: Number(position.wagerId),
    wager_reference: position.wagerReference,
    win: numberFromMicros(position.win),
    loss: numberFromMicros(position.loss),
    offered: numberFromMicros(position.offered),
    exposure: numberFromMicros(position.exposure),
  };
}
