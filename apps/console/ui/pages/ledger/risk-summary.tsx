import { later } from '../../parts/later.js';
import { BoardSpace } from './board-space.js';

/** After the first view. */
export const RiskSummary = later(async () => (await import('../risk/summary.js')).RiskSummary, BoardSpace);
