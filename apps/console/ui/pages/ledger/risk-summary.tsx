import { laterPart } from '../../shell/later-part.js';
import type { RiskSummaryProps } from '../risk/summary.js';

/** After the first view. */
export const RiskSummary = laterPart<RiskSummaryProps>(async () => (await import('../risk/summary.js')).RiskSummary);
