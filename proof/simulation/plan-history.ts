import type { Outcome } from '#core/records.js';
import { createSeededRandom, type SeededRandom } from '#tools/shared/seeded-random.js';
import type { BetName, History, NamedBy, SingleStep, StartingAccount, Step, UserName } from './history.js';

/* Generates random histories. The weights make rare situations common; count-situations.ts counts them. */

const ONE = 1_000_000;
const WAGERS = 3;
const MOST_USERS = 4;
const LEAST_STEPS = 20;
const MOST_STEPS = 60;
/** Every history begins with offers, because most operations need some. */
const FIRST_OFFERS = 4;

/** The size of all amounts in a history: ordinary, single millionths (where rounding matters most), or the largest. */
interface Scale {
  readonly amount: (random: SeededRandom) => number;
  readonly odds: (random: SeededRandom) => number;
  readonly start: (random: SeededRandom) => number;
  readonly weight: number;
}

const ordinaryOdds = (random: SeededRandom): number =>
  random.happens(0.7)
    ? random.pick([1.5 * ONE, 2 * ONE, 2 * ONE, 3 * ONE, ONE, ONE + 1])
    : ONE + random.below(3 * ONE + 1);

const ordinary: Scale = {
  weight: 6,
  amount: (random) =>
    random.pickWeighted([
      { weight: 6, value: (1 + random.below(20)) * ONE },
      { weight: 3, value: 1 + random.below(20 * ONE) },
      { weight: 1, value: 1 + random.below(9) },
    ]).value,
  odds: ordinaryOdds,
  start: (random) => random.pick([100, 100, 30, 200, 0, -20]) * ONE,
};

const tiny: Scale = {
  weight: 3,
  amount: (random) => 1 + random.below(9),
  odds: (random) => (random.happens(0.5) ? ordinaryOdds(random) : random.pick([1_250_000, 1_166_667, 1_333_333])),
  start: (random) => random.pick([80, 80, 20, 0, -5]),
};

const LARGEST_AMOUNT = 1e9 * ONE;
const LARGEST_ODDS = 1e6 * ONE;

const huge: Scale = {
  weight: 1,
  amount: (random) => random.pick([LARGEST_AMOUNT, LARGEST_AMOUNT, LARGEST_AMOUNT - 1, LARGEST_AMOUNT / 2, 8_589, 1]),
  odds: (random) => random.pick([2 * ONE, 5 * ONE, 9_589_934, 9_589_935, LARGEST_ODDS, ONE]),
  start: (random) => random.pick([8 * LARGEST_AMOUNT, LARGEST_AMOUNT, 0, -LARGEST_AMOUNT]),
};

/** Amounts of an account with decimals, few of them with too many. */
function inUnits({ amount, odds, start, weight }: Scale, decimals: number): Scale {
  const unit = 10 ** (6 - decimals);
  const inWhole = (value: number, few: number): number =>
    Math.abs(value) < unit ? few * unit : Math.trunc(value / unit) * unit;
  return {
    weight,
    odds,
    amount(random) {
      const value = amount(random);
      return random.happens(0.05) ? value : inWhole(value, 1 + (value % 9));
    },
    start(random) {
      const value = start(random);
      return inWhole(value, value);
    },
  };
}

/** A third of the accounts have decimals of their own. */
function decimalsOf(random: SeededRandom): number | null {
  return random.happens(1 / 3) ? random.pick([0, 1, 2, 2, 3, 4, 5, 6]) : null;
}

/** Generates the same history for the same seed. `isTimed`: with what ends by itself, and with suspensions. */
export function planHistory(seed: number, { isTimed = true }: { readonly isTimed?: boolean } = {}): History {
  const random = createSeededRandom(seed);
  // Drawn apart: whether an account has decimals changes its amounts, and nothing else of its history.
  const decimals = decimalsOf(createSeededRandom(seed + 1));
  const any = random.pickWeighted([ordinary, tiny, huge]);
  const scale = decimals === null ? any : inUnits(any, decimals);
  const hasBatches = random.happens(0.6);
  const account: StartingAccount = {
    decimals,
    allowNegativeBalance: hasBatches && random.happens(0.2),
    users: Array.from({ length: 3 + random.below(MOST_USERS - 2) }, () => ({
      start: scale.start(random),
      preference: random.pick([null, null, null, true, false]),
    })),
  };
  const singles: Kinds = isTimed ? [...singleKinds, ...clockKinds] : singleKinds;
  const kinds: Kinds = hasBatches ? [...singles, { weight: 9, plan: planBatch }] : singles;
  const ends = createSeededRandom(seed + 2);
  const steps = Array.from({ length: LEAST_STEPS + random.below(MOST_STEPS - LEAST_STEPS + 1) }, (_, index) =>
    index < FIRST_OFFERS ? planOffer(random, scale) : random.pickWeighted(kinds).plan(random, scale),
  );
  return { account, steps: isTimed ? steps.map((step) => withEnds(step, ends)) : steps };
}

interface Kind<Some extends Step> {
  readonly weight: number;
  readonly plan: (random: SeededRandom, scale: Scale) => Some;
}
type Kinds = [Kind<Step>, ...Kind<Step>[]];

const singleKinds: [Kind<SingleStep>, ...Kind<SingleStep>[]] = [
  { weight: 24, plan: planOffer },
  {
    weight: 24,
    plan: (random, scale) => ({
      do: 'accept',
      who: userButUsuallyNotFirst(random),
      of: random.happens(0.15) ? { user: random.pick([0, 0, 1]), by: namedBy(random) } : null,
      bet: someBet(random, 'open'),
      where: random.happens(0.01) ? 'nowhere' : random.pick(['bet', 'wager', 'wager']),
      odds: scale.odds(random) + random.pick([0, ONE, 3 * ONE, 3 * ONE]),
      amount: scale.amount(random),
      bound: someBound(random),
    }),
  },
  {
    weight: 16,
    plan: (random, scale) => ({
      do: 'cancel',
      who: someUser(random),
      wagers: random.pickWeighted(wagerLists).wagers,
      ...someCancelAmount(random, scale),
      minimumOdds: random.happens(0.2) ? scale.odds(random) : null,
      maximumOdds: random.happens(0.2) ? scale.odds(random) : null,
      bound: random.pick([500, 1, 1, 1]),
    }),
  },
  {
    weight: 5,
    plan: (random, scale) => ({
      do: 'cancel-one',
      who: { user: random.pick([0, 0, 0, 0, 1]), by: namedBy(random) },
      bet: someBet(random, 'open'),
      ...someCancelAmount(random, scale),
    }),
  },
  {
    weight: 4,
    plan: (random) => ({
      do: 'decide',
      wager: someWager(random),
      outcome: someOutcome(random, 0.1),
      bound: someBound(random),
    }),
  },
  {
    weight: 6,
    plan: (random) => ({
      do: 'force',
      wager: someWager(random),
      outcome: someOutcome(random, 0.65),
      bound: someBound(random),
    }),
  },
  { weight: 8, plan: (random) => ({ do: 'cancel-chunk', wager: someWager(random), bound: someBound(random) }) },
  { weight: 7, plan: (random) => ({ do: 'chunk', wager: someWager(random), bound: someBound(random) }) },
  {
    weight: 6,
    plan: (random) => ({ do: 'override', bet: someBet(random, 'accepted'), outcome: someOutcome(random, 0.25) }),
  },
  {
    weight: 6,
    plan: (random) => ({
      do: 'force-override',
      bet: someBet(random, random.pick(['open', 'accepted', 'settled', 'expired'])),
      outcome: random.happens(0.3) ? null : someOutcome(random, 0.25),
    }),
  },
  {
    weight: 6,
    plan: (random) => {
      const isActive = random.happens(0.45);
      const among = isActive ? 'inactive' : random.pick(['open', 'accepted', 'settled', 'expired', 'any'] as const);
      return { do: 'set-active', bet: someBet(random, among), isActive };
    },
  },
  { weight: 3, plan: (random, scale) => ({ do: 'fund', who: someUser(random), amount: scale.amount(random) }) },
  { weight: 4, plan: (random, scale) => ({ do: 'withdraw', who: someUser(random), amount: scale.amount(random) }) },
];

function planOffer(random: SeededRandom, scale: Scale): SingleStep {
  const others = [random.below(MOST_USERS), random.below(MOST_USERS)];
  const unknown = random.happens(0.03) ? [-1] : [];
  return {
    do: 'offer',
    who: someUser(random),
    wager: someWager(random),
    odds: scale.odds(random),
    amount: scale.amount(random),
    allowed: random.happens(0.2) ? [...others, ...unknown] : unknown,
    isAllowedById: random.happens(0.5),
  };
}

/** Some offers end by themselves, and some decisions void what was matched late. */
function withEnds<Some extends Step>(step: Some, random: SeededRandom): Some {
  if (step.do === 'batch') return { ...step, steps: step.steps.map((single) => withEnds(single, random)) };
  if (step.do === 'decide' || step.do === 'force') {
    return random.happens(step.outcome === 'undecided' ? 0.05 : 0.4)
      ? { ...step, voidsSteps: random.pick([0, 6, 12, 60, 60]) }
      : step;
  }
  if (step.do !== 'offer') return step;
  return {
    ...step,
    ...(random.happens(0.2) && { endsInSteps: random.pick([0, 1, 3, 6, 12, 40_000_000]) }),
    isEndGivenInSeconds: random.happens(0.5),
    endsOnSuspend: random.happens(0.2),
  };
}

const someReason = (random: SeededRandom): string | null =>
  random.pick(['Goal', null, 'Goal', null, 'Change request 1']);

/** What the database of a test cannot play: there, time is its own. */
const clockKinds: Kind<SingleStep>[] = [
  {
    weight: 4,
    plan: (random) => ({
      do: 'suspend',
      wager: someWager(random),
      reason: someReason(random),
      cancelsOffers: random.happens(0.3),
    }),
  },
  { weight: 7, plan: (random) => ({ do: 'resume', wager: someWager(random) }) },
  { weight: 1, plan: (random) => ({ do: 'close', wager: someWager(random), reason: someReason(random) }) },
  {
    weight: 4,
    plan: (random) => ({
      do: 'schedule',
      wager: someWager(random),
      inSteps: random.pick([0, 4, 8, 20, null, null, undefined, undefined]),
      event: random.pick(['final', 'semi-final', null, undefined, undefined]),
      startsInSteps: random.pick([0, 20, null, undefined, undefined]),
    }),
  },
  { weight: 8, plan: (random) => ({ do: 'clock', wager: someWager(random), bound: someBound(random) }) },
  {
    weight: 5,
    plan: (random) => ({
      do: 'timer',
      wager: someWager(random),
      user: random.pick([null, null, 0, 1]),
      last: someBet(random, random.pick(['any', 'open', 'unknown'])),
      bound: random.pick([500, 1, 1]),
    }),
  },
];

function planBatch(random: SeededRandom, scale: Scale): Step {
  const steps = Array.from({ length: random.pick([1, 2, 2, 3, 4]) }, () =>
    random.pickWeighted(singleKinds).plan(random, scale),
  );
  return { do: 'batch', steps, isIdRepeated: random.happens(0.03) };
}

const namedBy = (random: SeededRandom): NamedBy =>
  random.pickWeighted<{ weight: number; by: NamedBy }>([
    { weight: 50, by: 'id' },
    { weight: 35, by: 'reference' },
    { weight: 10, by: 'both' },
    { weight: 2, by: 'two' },
    { weight: 2, by: 'unknown' },
    { weight: 1, by: 'nothing' },
  ]).by;

const someUser = (random: SeededRandom): UserName => ({ user: random.below(MOST_USERS), by: namedBy(random) });

/** Index 0 is the bet's requester, who cannot accept it. */
const userButUsuallyNotFirst = (random: SeededRandom): UserName => ({
  user: random.pick([1, 1, 2, 2, 0]),
  by: namedBy(random),
});

const someWager = (random: SeededRandom): number =>
  random.pickWeighted([
    { weight: 55, wager: 0 },
    { weight: 34, wager: 1 },
    { weight: 10, wager: 2 },
    { weight: 1, wager: WAGERS },
  ]).wager;

const someBet = (random: SeededRandom, among: BetName['among']): BetName => ({
  among: random.pickWeighted<{ weight: number; among: BetName['among'] }>([
    { weight: 80, among },
    { weight: 17, among: 'any' },
    { weight: 3, among: 'unknown' },
  ]).among,
  index: random.below(12),
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

const someCancelAmount = (random: SeededRandom, scale: Scale) =>
  random.pickWeighted<{ weight: number; how: { amount: number | null; isAll: boolean } }>([
    { weight: 12, how: { amount: scale.amount(random), isAll: false } },
    { weight: 5, how: { amount: null, isAll: true } },
    { weight: 2, how: { amount: scale.amount(random), isAll: true } },
    { weight: 1, how: { amount: null, isAll: false } },
  ]).how;

const someOutcome = (random: SeededRandom, undecided: number): Outcome =>
  random.happens(undecided) ? 'undecided' : random.pick(['win', 'loss', 'half-win', 'half-loss', 'push', 'void']);

const someBound = (random: SeededRandom): number => random.pick([500, 500, 1, 2, 3]);
