import { later, Nothing } from '../../parts/later.js';

/** After the first view. */
export const RiskSummary = later(async () => (await import('../risk/summary.js')).RiskSummary, Nothing);
