import { whole } from '#tools/shared/command-line.js';
import { historyInWords } from './history-in-words.js';
import { type PlayHistory, playInAllWays } from './play-history.js';
import { shrink } from './shrink.js';
import type { Failure, Simulation } from './simulate.js';

/** Shows the shortest history that fails, and how to play it again. */
export function failureText({ seed, history, difference }: Failure, playHistory: PlayHistory = playInAllWays): string {
  const shortest = shrink(history, (some) => playHistory(some) !== null);
  return [
    `The core and the second ledger differ in history ${seed}, after step ${difference.step} of ${history.steps.length}:`,
    `  ${difference.text}`,
    '',
    'The shortest history in which they differ, with what the second ledger says; after its last step:',
    `  ${(playHistory(shortest) ?? difference).text}`,
    historyInWords(shortest),
    '',
    '(Amounts and odds of a difference are in millionths.) To play it again:',
    `  npm run simulate -- --history ${seed}`,
  ].join('\n');
}

export function summaryText({ historyCount, stepCount, situations }: Simulation, seconds: number): string {
  const rows = [...situations].map(([name, times]) => `  ${whole(times).padStart(11)}  ${name}`);
  const rate = whole(Math.round(historyCount / seconds));
  return [
    'Steps in which each situation arose:',
    ...rows,
    '',
    `${whole(historyCount)} histories, ${whole(stepCount)} steps, ${rate} histories a second.`,
  ].join('\n');
}
