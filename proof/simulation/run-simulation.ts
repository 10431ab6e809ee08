import { randomInt } from 'node:crypto';
import { HIGHEST_SEED, whole } from '#tools/shared/command-line.js';
import { historyInWords } from './history-in-words.js';
import type { SimulationOptions } from './options.js';
import { planHistory } from './plan-history.js';
import { type PlayHistory, playInAllWays } from './play-history.js';
import { failureText, summaryText } from './report.js';
import { type Figures, simulate } from './simulate.js';

const SECONDS_BETWEEN_LINES = 5;

interface RunSettings {
  readonly options: SimulationOptions;
  readonly print: (text: string) => void;
  readonly playHistory?: PlayHistory;
}

/** Returns whether the core and the second ledger agreed. */
export function runSimulation({ options, print, playHistory = playInAllWays }: RunSettings): boolean {
  const { seed = randomInt(HIGHEST_SEED + 1), seconds, history } = options;
  const running = { print, playHistory };
  return history === undefined ? playMany({ seed, seconds, ...running }) : playAgain({ seed: history, ...running });
}

type Running<More> = Required<Pick<RunSettings, 'print' | 'playHistory'>> & More;

function playMany({ seed, seconds, print, playHistory }: Running<{ seed: number; seconds: number }>): boolean {
  print(`Random histories for ${seconds} s, seed ${seed}: the core compared with the second ledger.\n`);
  const startedAt = performance.now();
  const elapsed = () => (performance.now() - startedAt) / 1_000;
  let lastPrintedAt = 0;
  const goesOn = ({ historyCount, stepCount }: Figures) => {
    if (elapsed() >= lastPrintedAt + SECONDS_BETWEEN_LINES) {
      lastPrintedAt = elapsed();
      print(`${lastPrintedAt.toFixed(0).padStart(6)} s  ${whole(historyCount)} histories, ${whole(stepCount)} steps`);
    }
    return elapsed() < seconds;
  };
  const simulation = simulate({ seed, goesOn, playHistory });
  const { failure } = simulation;
  print(`\n${summaryText(simulation, elapsed())}`);
  print(`\n${failure === null ? 'No difference.' : failureText(failure, playHistory)}`);
  return failure === null;
}

function playAgain({ seed, print, playHistory }: Running<{ seed: number }>): boolean {
  const history = planHistory(seed);
  const difference = playHistory(history);
  print(`History ${seed}, with what the second ledger says:\n\n${historyInWords(history)}\n`);
  print(difference === null ? 'No difference.' : failureText({ seed, history, difference }, playHistory));
  return difference === null;
}
