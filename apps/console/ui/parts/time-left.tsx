import { useSecondsUntil } from './countdown.js';
import { twoDigits } from './time.js';

const DAY = 86_400;
const HOUR = 3_600;
const MINUTE = 60;

/** `2 d 3 h`, `3 h 05 min`, `4 min 05 s` */
export function formatTimeLeft(seconds: number): string {
  const hours = Math.floor(seconds / HOUR);
  if (seconds >= DAY) return `${Math.floor(hours / 24)} d ${hours % 24} h`;
  const minutes = Math.floor((seconds % HOUR) / MINUTE);
  if (hours > 0) return `${hours} h ${twoDigits(minutes)} min`;
  return minutes > 0 ? `${minutes} min ${twoDigits(seconds % MINUTE)} s` : `${seconds} s`;
}

export interface TimeLeftProps {
  readonly until: string;
  /** When the answer that said so was made, by the clock of the service. */
  readonly asOf: string | Date;
  /** When it came, by `performance.now()`: the clock of the browser may be wrong. */
  readonly cameMs: number;
  readonly onEnd: () => void;
}

/** The time that is left until a moment of the service. */
export function TimeLeft({ until, asOf, cameMs, onEnd }: TimeLeftProps) {
  const left = useSecondsUntil(cameMs + new Date(until).getTime() - new Date(asOf).getTime(), onEnd);
  return <span class="amount">{formatTimeLeft(left)}</span>;
}
