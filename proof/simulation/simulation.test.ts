import { randomInt } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import type { Book } from '#core/book.js';
import { isFailure } from '#core/decision.js';
import { asMicros } from '#core/money.js';
import type { Operation } from '#core/operation.js';
import { createSeededRandom } from '#tools/shared/seeded-random.js';
import type { Act } from './act.js';
import { runOnBook, wholeBook } from './cores.js';
import { planHistory } from './plan.js';
import { type PlayHistory, play, playInAllWays, scenesOf } from './play.js';
import { failureText } from './report.js';
import { shrink } from './shrink.js';
import { HIGHEST_SEED, simulate } from './simulate.js';
import { count, noCounts } from './situations.js';

const PLAYING_MS = 25_000;
const TIMEOUT_MS = 120_000;

describe('the core beside the second ledger', () => {
  it(
    'decides, moves and writes the same in thousands of new histories',
    () => {
      const end = performance.now() + PLAYING_MS;
      const { failure } = simulate({ seed: randomInt(HIGHEST_SEED + 1), goesOn: () => performance.now() < end });
      expect(failure === null ? '' : failureText(failure)).toBe('');
    },
    TIMEOUT_MS,
  );
});

describe('the histories', () => {
  it('do every operation, have every one refused, and bring about each rare situation', () => {
    const counts = noCounts();
    for (let seed = 1; seed <= 400; seed += 1) for (const scene of scenesOf(planHistory(seed))) count(counts, scene);
    const rare = [...counts].filter(([, times]) => times < 10);
    expect(rare).toEqual([]);
  });

  it('follow from their seed alone', () => {
    expect(planHistory(7)).toEqual(planHistory(7));
    expect(planHistory(7)).not.toEqual(planHistory(8));
  });

  it('are histories still when any of their steps are left out', () => {
    const chance = createSeededRandom(5);
    for (let seed = 1; seed <= 60; seed += 1) {
      const { world, steps } = planHistory(seed);
      expect(playInAllWays({ world, steps: steps.filter(() => chance.happens(0.4)) })).toBeNull();
    }
  });
});

/** Faults that are put around the core, one at a time. */
const faults: readonly { readonly name: string; readonly run: typeof runOnBook; readonly mostSteps: number }[] = [
  { name: 'half a loss is rounded towards zero', run: halfLossTowardsZero, mostSteps: 3 },
  { name: 'a cancel does not free exposure', run: exposureKept, mostSteps: 2 },
  { name: 'the rest of an offer loses its place', run: placeLost, mostSteps: 4 },
  { name: 'an override is ignored when the wager is decided', run: overrideIgnored, mostSteps: 4 },
  { name: 'one bet more than allowed is settled at once', run: boundExceeded, mostSteps: 3 },
  { name: 'what is refused leaves a trace', run: refusalTraced, mostSteps: 1 },
];

describe('a fault in the core', () => {
  it.each(faults)('is found, and shown by a few steps: $name', ({ run, mostSteps }) => {
    const playHistory: PlayHistory = (history) => play(history, wholeBook(run));
    const { failure } = simulate({ seed: 1, goesOn: ({ historyCount }) => historyCount < 2_000, playHistory });
    if (failure === null) throw new Error('was not found');
    const { steps } = shrink(failure.history, (some) => playHistory(some) !== null);
    expect(steps.length).toBeLessThanOrEqual(mostSteps);
  });

  it('is told with the history that shows it, and how to play it again', () => {
    const playHistory: PlayHistory = (history) => play(history, wholeBook(halfLossTowardsZero));
    const { failure } = simulate({ seed: 2, goesOn: () => true, playHistory });
    if (failure === null) throw new Error('was not found');
    const text = failureText(failure, playHistory);
    expect(text).toMatch(/users\.1\.balance: the core has \d+, the second ledger \d+/);
    expect(text).toMatch(/ 1\. user \d offers [\d.]+ at [\d.]+ on w\d: done\n/);
    expect(text).toMatch(/ 3\. .* half-loss: done\n/);
    expect(text).toContain(`npm run simulate -- --history ${failure.seed}`);
  });
});

const operationsOf = (act: Act): readonly Operation[] =>
  act.kind === 'single' ? [act.operation] : act.items.map(({ operation }) => operation);

const addToBalance = (book: Book, userId: bigint | null, amount: bigint) => {
  if (userId === null) return;
  const user = book.user(userId);
  user.balance = asMicros(user.balance + amount);
};

function halfLossTowardsZero(book: Book, act: Act) {
  const isRounded = ({
    settledOutcome,
    effectiveAmount,
  }: {
    settledOutcome: unknown;
    effectiveAmount: bigint | null;
  }) => settledOutcome === 'half-loss' && effectiveAmount !== null && effectiveAmount % 2n === 1n;
  const before = new Set([...book.bets.values()].filter(isRounded));
  const result = runOnBook(book, act);
  for (const bet of book.bets.values()) {
    const moved = BigInt(isRounded(bet)) - BigInt(before.has(bet));
    addToBalance(book, bet.requestingUserId, moved);
    addToBalance(book, bet.acceptingUserId, -moved);
  }
  return result;
}

function exposureKept(book: Book, act: Act) {
  const before = new Map([...book.users.values()].map((user) => [user, user.exposure]));
  const result = runOnBook(book, act);
  if (act.kind === 'single' && act.operation.type === 'cancel_bet_offer') {
    for (const [user, exposure] of before) user.exposure = exposure;
  }
  return result;
}

function placeLost(book: Book, act: Act) {
  const result = runOnBook(book, act);
  for (const bet of book.bets.values()) {
    if (bet.queuePlace === bet.id) continue;
    const offers = book.offersOf(bet.wagerId);
    offers.remove(bet);
    Object.assign(bet, { queuePlace: bet.id });
    offers.place(bet);
  }
  return result;
}

function overrideIgnored(book: Book, act: Act) {
  const isDecision = operationsOf(act).some(({ type }) => type === 'update_wager_outcome');
  const hidden = [...book.bets.values()].filter(({ overrideOutcome }) => isDecision && overrideOutcome !== null);
  const overrides = hidden.map(({ overrideOutcome }) => overrideOutcome);
  for (const bet of hidden) bet.overrideOutcome = null;
  const result = runOnBook(book, act);
  for (const [index, bet] of hidden.entries()) bet.overrideOutcome = overrides[index] ?? null;
  return result;
}

function boundExceeded(book: Book, act: Act) {
  if (act.kind === 'batch' || !('bound' in act.operation)) return runOnBook(book, act);
  const { bound } = act.operation;
  return runOnBook(book, { kind: 'single', operation: { ...act.operation, bound: bound + 1 } });
}

function refusalTraced(book: Book, act: Act) {
  const result = runOnBook(book, act);
  if (isFailure(result)) addToBalance(book, 1n, 1n);
  return result;
}
