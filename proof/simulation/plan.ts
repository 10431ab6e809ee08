import type { Outcome } from '#core/outcome.js';
import { createSeededRandom, type SeededRandom } from '#tools/shared/seeded-random.js';
import type { BetName, History, NamedBy, SingleStep, Step, UserName, World } from './history.js';

/* Makes histories up. How often what happens is weighed so that the rare cases are common: situations.ts counts them. */

const ONE = 1_000_000;
const WAGERS = 3;
const MOST_USERS = 4;
const LEAST_STEPS = 20;
const MOST_STEPS = 60;
/** Without offers there is little that can be done. */
const FIRST_OFFERS = 4;

/** What money is like in a history: ordinary, single millionths where all is rounding, or the largest there is. */
interface Scale {
  readonly amount: (chance: SeededRandom) => number;
  readonly odds: (chance: SeededRandom) => number;
  readonly start: (chance: SeededRandom) => number;
  readonly weight: number;
}

const ordinaryOdds = (chance: SeededRandom): number =>
  chance.happens(0.7)
    ? chance.pick([1.5 * ONE, 2 * ONE, 2 * ONE, 3 * ONE, ONE, ONE + 1])
    : ONE + chance.below(3 * ONE + 1);

const ordinary: Scale = {
  weight: 6,
  amount: (chance) =>
    chance.pickWeighted([
      { weight: 6, value: (1 + chance.below(20)) * ONE },
      { weight: 3, value: 1 + chance.below(20 * ONE) },
      { weight: 1, value: 1 + chance.below(9) },
    ]).value,
  odds: ordinaryOdds,
  start: (chance) => chance.pick([100, 100, 30, 200, 0, -20]) * ONE,
};

const tiny: Scale = {
  weight: 3,
  amount: (chance) => 1 + chance.below(9),
  odds: (chance) => (chance.happens(0.5) ? ordinaryOdds(chance) : chance.pick([1_250_000, 1_166_667, 1_333_333])),
  start: (chance) => chance.pick([80, 80, 20, 0, -5]),
};

const LARGEST_AMOUNT = 1e9 * ONE;
const LARGEST_ODDS = 1e6 * ONE;

const huge: Scale = {
  weight: 1,
  amount: (chance) => chance.pick([LARGEST_AMOUNT, LARGEST_AMOUNT, LARGEST_AMOUNT - 1, LARGEST_AMOUNT / 2, 8_589, 1]),
  odds: (chance) => chance.pick([2 * ONE, 5 * ONE, 9_589_934, 9_589_935, LARGEST_ODDS, ONE]),
  start: (chance) => chance.pick([8 * LARGEST_AMOUNT, LARGEST_AMOUNT, 0, -LARGEST_AMOUNT]),
};

/** The same seed plans the same history. */
export function planHistory(seed: number): History {
  const chance = createSeededRandom(seed);
  const scale = chance.pickWeighted([ordinary, tiny, huge]);
  const hasBatches = chance.happens(0.6);
  const world: World = {
    allowNegativeBalance: hasBatches && chance.happens(0.2),
    users: Array.from({ length: 3 + chance.below(MOST_USERS - 2) }, () => ({
      start: scale.start(chance),
      preference: chance.pick([null, null, null, true, false]),
    })),
  };
  const kinds: Kinds = hasBatches ? [...singleKinds, { weight: 9, plan: planBatch }] : singleKinds;
  const steps = Array.from({ length: LEAST_STEPS + chance.below(MOST_STEPS - LEAST_STEPS + 1) }, (_, index) =>
    index < FIRST_OFFERS ? planOffer(chance, scale) : chance.pickWeighted(kinds).plan(chance, scale),
  );
  return { world, steps };
}

interface Kind<Some extends Step> {
  readonly weight: number;
  readonly plan: (chance: SeededRandom, scale: Scale) => Some;
}
type Kinds = [Kind<Step>, ...Kind<Step>[]];

const singleKinds: [Kind<SingleStep>, ...Kind<SingleStep>[]] = [
  { weight: 24, plan: planOffer },
  {
    weight: 24,
    plan: (chance, scale) => ({
      do: 'accept',
      who: userButUsuallyNotFirst(chance),
      of: chance.happens(0.15) ? { user: chance.pick([0, 0, 1]), by: namedBy(chance) } : null,
      bet: someBet(chance, 'open'),
      where: chance.happens(0.01) ? 'nowhere' : chance.pick(['bet', 'wager', 'wager']),
      odds: scale.odds(chance) + chance.pick([0, ONE, 3 * ONE, 3 * ONE]),
      amount: scale.amount(chance),
    }),
  },
  {
    weight: 6,
    plan: (chance, scale) => ({
      do: 'cancel',
      who: someUser(chance),
      wagers: chance.pickWeighted(wagerLists).wagers,
      ...someCancelAmount(chance, scale),
      minimumOdds: chance.happens(0.2) ? scale.odds(chance) : null,
      maximumOdds: chance.happens(0.2) ? scale.odds(chance) : null,
    }),
  },
  {
    weight: 5,
    plan: (chance, scale) => ({
      do: 'cancel-one',
      who: { user: chance.pick([0, 0, 0, 0, 1]), by: namedBy(chance) },
      bet: someBet(chance, 'open'),
      ...someCancelAmount(chance, scale),
    }),
  },
  {
    weight: 4,
    plan: (chance) => ({
      do: 'decide',
      wager: someWager(chance),
      outcome: someOutcome(chance, 0.1),
      bound: someBound(chance),
    }),
  },
  {
    weight: 6,
    plan: (chance) => ({
      do: 'force',
      wager: someWager(chance),
      outcome: someOutcome(chance, 0.65),
      bound: someBound(chance),
    }),
  },
  { weight: 7, plan: (chance) => ({ do: 'chunk', wager: someWager(chance), bound: someBound(chance) }) },
  {
    weight: 6,
    plan: (chance) => ({ do: 'override', bet: someBet(chance, 'accepted'), outcome: someOutcome(chance, 0.25) }),
  },
  {
    weight: 6,
    plan: (chance) => ({
      do: 'force-override',
      bet: someBet(chance, chance.pick(['open', 'accepted', 'settled', 'expired'])),
      outcome: chance.happens(0.3) ? null : someOutcome(chance, 0.25),
    }),
  },
  {
    weight: 6,
    plan: (chance) => {
      const isActive = chance.happens(0.45);
      const among = isActive ? 'inactive' : chance.pick(['open', 'accepted', 'settled', 'expired', 'any'] as const);
      return { do: 'set-active', bet: someBet(chance, among), isActive };
    },
  },
  { weight: 3, plan: (chance, scale) => ({ do: 'fund', who: someUser(chance), amount: scale.amount(chance) }) },
  { weight: 4, plan: (chance, scale) => ({ do: 'withdraw', who: someUser(chance), amount: scale.amount(chance) }) },
];

function planOffer(chance: SeededRandom, scale: Scale): SingleStep {
  const others = [chance.below(MOST_USERS), chance.below(MOST_USERS)];
  const unknown = chance.happens(0.03) ? [-1] : [];
  return {
    do: 'offer',
    who: someUser(chance),
    wager: someWager(chance),
    odds: scale.odds(chance),
    amount: scale.amount(chance),
    allowed: chance.happens(0.2) ? [...others, ...unknown] : unknown,
    isAllowedById: chance.happens(0.5),
  };
}

function planBatch(chance: SeededRandom, scale: Scale): Step {
  const steps = Array.from({ length: chance.pick([1, 2, 2, 3, 4]) }, () =>
    chance.pickWeighted(singleKinds).plan(chance, scale),
  );
  return { do: 'batch', steps, isIdRepeated: chance.happens(0.03) };
}

const namedBy = (chance: SeededRandom): NamedBy =>
  chance.pickWeighted<{ weight: number; by: NamedBy }>([
    { weight: 50, by: 'id' },
    { weight: 35, by: 'reference' },
    { weight: 10, by: 'both' },
    { weight: 2, by: 'two' },
    { weight: 2, by: 'unknown' },
    { weight: 1, by: 'nothing' },
  ]).by;

const someUser = (chance: SeededRandom): UserName => ({ user: chance.below(MOST_USERS), by: namedBy(chance) });

/** Of one bet the first user is the requester, who cannot accept it. */
const userButUsuallyNotFirst = (chance: SeededRandom): UserName => ({
  user: chance.pick([1, 1, 2, 2, 0]),
  by: namedBy(chance),
});

const someWager = (chance: SeededRandom): number =>
  chance.pickWeighted([
    { weight: 55, wager: 0 },
    { weight: 34, wager: 1 },
    { weight: 10, wager: 2 },
    { weight: 1, wager: WAGERS },
  ]).wager;

const someBet = (chance: SeededRandom, among: BetName['among']): BetName => ({
  among: chance.pickWeighted<{ weight: number; among: BetName['among'] }>([
    { weight: 80, among },
    { weight: 17, among: 'any' },
    { weight: 3, among: 'unknown' },
  ]).among,
  index: chance.below(12),
});

const wagerLists: [WagerList, ...WagerList[]] = [
  { weight: 4, wagers: [0] },
  { weight: 4, wagers: [1] },
  { weight: 4, wagers: [0, 1] },
  { weight: 4, wagers: [2, 1, 0, 1] },
  { weight: 2, wagers: [2, WAGERS] },
  { weight: 1, wagers: [] },
];
interface WagerList {
  readonly weight: number;
  readonly wagers: readonly number[];
}

const someCancelAmount = (chance: SeededRandom, scale: Scale) =>
  chance.pickWeighted<{ weight: number; how: { amount: number | null; isAll: boolean } }>([
    { weight: 12, how: { amount: scale.amount(chance), isAll: false } },
    { weight: 5, how: { amount: null, isAll: true } },
    { weight: 2, how: { amount: scale.amount(chance), isAll: true } },
    { weight: 1, how: { amount: null, isAll: false } },
  ]).how;

const someOutcome = (chance: SeededRandom, undecided: number): Outcome =>
  chance.happens(undecided) ? 'undecided' : chance.pick(['win', 'loss', 'half-win', 'half-loss', 'push', 'void']);

const someBound = (chance: SeededRandom): number => chance.pick([500, 500, 1, 2, 3]);
