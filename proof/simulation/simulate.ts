import { HIGHEST_SEED } from '#tools/shared/command-line.js';
import { createSeededRandom } from '#tools/shared/seeded-random.js';
import { countSituations, noSituations, type SituationCounts } from './count-situations.js';
import type { History } from './history.js';
import { planHistory } from './plan-history.js';
import { type Difference, type PlayHistory, playInAllWays, type Watch } from './play-history.js';

export interface Failure {
  /** The seed of the history that failed. */
  readonly seed: number;
  readonly history: History;
  readonly difference: Difference;
}

export interface Figures {
  historyCount: number;
  stepCount: number;
  readonly situations: SituationCounts;
}

export interface Simulation extends Figures {
  /** Null: the core and the second ledger agreed throughout. */
  readonly failure: Failure | null;
}

interface SimulationSettings {
  /** The seed of the whole run: the histories' seeds follow from it. */
  readonly seed: number;
  /** Called after each history; false ends the run. */
  readonly goesOn: (figures: Figures) => boolean;
  readonly playHistory?: PlayHistory;
}

/** Plays one history after another, until one fails or `goesOn` returns false. */
export function simulate({ seed: runSeed, goesOn, playHistory = playInAllWays }: SimulationSettings): Simulation {
  const seeds = createSeededRandom(runSeed);
  const figures: Figures = { historyCount: 0, stepCount: 0, situations: noSituations() };
  const watch: Watch = (step) => {
    figures.stepCount += 1;
    countSituations(figures.situations, step);
  };
  do {
    const seed = seeds.below(HIGHEST_SEED + 1);
    const history = planHistory(seed);
    const difference = playHistory(history, watch);
    figures.historyCount += 1;
    if (difference !== null) return { ...figures, failure: { seed, history, difference } };
  } while (goesOn(figures));
  return { ...figures, failure: null };
}
