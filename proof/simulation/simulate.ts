import { createSeededRandom } from '#tools/shared/seeded-random.js';
import type { History } from './history.js';
import { planHistory } from './plan.js';
import { type Difference, type PlayHistory, playInAllWays, type Watch } from './play.js';
import { type Counts, count, noCounts } from './situations.js';

export interface Failure {
  /** The seed of the one history. */
  readonly seed: number;
  readonly history: History;
  readonly difference: Difference;
}

export interface Figures {
  historyCount: number;
  stepCount: number;
  readonly situations: Counts;
}

export interface Simulation extends Figures {
  /** Null: the core and the second ledger agreed throughout. */
  readonly failure: Failure | null;
}

interface Setting {
  /** The seed of the whole run: the histories' seeds follow from it. */
  readonly seed: number;
  /** Told after each history. */
  readonly goesOn: (figures: Figures) => boolean;
  readonly playHistory?: PlayHistory;
}

export const HIGHEST_SEED = 2 ** 32 - 1;

/** Plays one history after the other, until one fails or it has been enough. */
export function simulate({ seed: runSeed, goesOn, playHistory = playInAllWays }: Setting): Simulation {
  const seeds = createSeededRandom(runSeed);
  const figures: Figures = { historyCount: 0, stepCount: 0, situations: noCounts() };
  const watch: Watch = (scene) => {
    figures.stepCount += 1;
    count(figures.situations, scene);
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
