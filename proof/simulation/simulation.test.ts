import { describe, expect, it } from '@jest/globals';
import type { Book } from '#core/book.js';
import { asMicros } from '#core/money.js';
import { isFailure } from '#core/operation.js';
import { testSeed } from '#testing/test-seed.js';
import { createSeededRandom } from '#tools/shared/seeded-random.js';
import { wholeBook } from './core-under-test.js';
import { countSituations, noSituations } from './count-situations.js';
import { planHistory } from './plan-history.js';
import { type PlayHistory, playInAllWays, playOnCore, playOnSecondLedger } from './play-history.js';
import { failureText } from './report.js';
import { shrink } from './shrink.js';
import { simulate } from './simulate.js';
import { operationsOf, runOnBook, type Task } from './task.js';

const PLAYING_MS = 5_000;

describe('the core and the second ledger', () => {
  it('decides, moves and writes the same in hundreds of new histories', () => {
    const end = performance.now() + PLAYING_MS;
    const { failure } = simulate({ seed: testSeed, goesOn: () => performance.now() < end });
    expect(failure === null ? '' : failureText(failure)).toBe('');
  });
});

describe('the histories', () => {
  it('bring about every operation, every refusal and each rare situation', () => {
    const counts = noSituations();
    for (let seed = 1; seed <= 1_200; seed += 1)
      for (const played of playOnSecondLedger(planHistory(seed))) countSituations(counts, played);
    const rare = [...counts].filter(([, times]) => times < 5);
    expect(rare).toEqual([]);
  });

  it('depend on their seed alone', () => {
    expect(planHistory(7)).toEqual(planHistory(7));
    expect(planHistory(7)).not.toEqual(planHistory(8));
  });

  it('can be played with any of their steps left out', () => {
    const random = createSeededRandom(5);
    for (let seed = 1; seed <= 60; seed += 1) {
      const { account, steps } = planHistory(seed);
      expect(playInAllWays({ account, steps: steps.filter(() => random.happens(0.4)) })).toBeNull();
    }
  });
});

/** Faulty wrappers of the core. */
const faults: readonly { readonly name: string; readonly run: typeof runOnBook; readonly mostSteps: number }[] = [
  { name: 'half a loss is rounded towards zero', run: halfLossTowardsZero, mostSteps: 4 },
  { name: 'a cancel does not free exposure', run: cancelWithoutExposure, mostSteps: 2 },
  { name: 'the rest of an offer loses its place', run: restWithoutPlace, mostSteps: 5 },
  { name: 'an override is ignored when the wager is decided', run: decisionWithoutOverride, mostSteps: 4 },
  { name: 'one bet more than allowed is settled at once', run: boundPlusOne, mostSteps: 3 },
  { name: 'a refused task leaves a trace', run: refusalWithTrace, mostSteps: 1 },
];

describe('a fault in the core', () => {
  it.each(faults)('is found, and shown by a few steps: $name', ({ run, mostSteps }) => {
    const playHistory: PlayHistory = (history) => playOnCore(history, wholeBook(run));
    const { failure } = simulate({ seed: 1, goesOn: ({ historyCount }) => historyCount < 2_000, playHistory });
    if (failure === null) throw new Error('the fault was not found');
    const { steps } = shrink(failure.history, (some) => playHistory(some) !== null);
    expect(steps.length).toBeLessThanOrEqual(mostSteps);
  });

  it('is reported with the history that shows it and the command to play it again', () => {
    const playHistory: PlayHistory = (history) => playOnCore(history, wholeBook(halfLossTowardsZero));
    const { failure } = simulate({ seed: 1, goesOn: () => true, playHistory });
    if (failure === null) throw new Error('the fault was not found');
    const text = failureText(failure, playHistory);
    expect(text).toMatch(/users\.1\.balance: the core has \d+, the second ledger \d+/);
    expect(text).toMatch(/ 1\. user \d offers [\d.]+ at [\d.]+ on w\d( until \d+)?: done\n/);
    expect(text).toMatch(/ 3\. .* half-loss: done\n/);
    expect(text).toContain(`npm run simulate -- --history ${failure.seed}`);
  });
});

const addToBalance = (book: Book, userId: bigint | null, amount: bigint) => {
  if (userId === null) return;
  const user = book.user(userId);
  user.balance = asMicros(user.balance + amount);
};

function halfLossTowardsZero(book: Book, task: Task) {
  const isRounded = ({
    settledOutcome,
    effectiveAmount,
  }: {
    settledOutcome: unknown;
    effectiveAmount: bigint | null;
  }) => settledOutcome === 'half-loss' && effectiveAmount !== null && effectiveAmount % 2n === 1n;
  const before = new Set([...book.bets.values()].filter(isRounded));
  const result = runOnBook(book, task);
  for (const bet of book.bets.values()) {
    const moved = BigInt(isRounded(bet)) - BigInt(before.has(bet));
    addToBalance(book, bet.requestingUserId, moved);
    addToBalance(book, bet.acceptingUserId, -moved);
  }
  return result;
}

function cancelWithoutExposure(book: Book, task: Task) {
  const before = new Map([...book.users.values()].map((user) => [user, user.exposure]));
  const result = runOnBook(book, task);
  if (task.kind === 'single' && task.operation.type === 'cancel_bet_offer') {
    for (const [user, exposure] of before) user.exposure = exposure;
  }
  return result;
}

function restWithoutPlace(book: Book, task: Task) {
  const result = runOnBook(book, task);
  for (const bet of book.bets.values()) {
    if (bet.queuePlace === bet.id) continue;
    const offers = book.offersOf(bet.wagerId);
    offers.remove(bet);
    Object.assign(bet, { queuePlace: bet.id });
    offers.update(bet);
  }
  return result;
}

function decisionWithoutOverride(book: Book, task: Task) {
  const isDecision = operationsOf(task).some(({ type }) => type === 'update_wager_outcome');
  const hidden = [...book.bets.values()].filter(({ overrideOutcome }) => isDecision && overrideOutcome !== null);
  const overrides = hidden.map(({ overrideOutcome }) => overrideOutcome);
  for (const bet of hidden) bet.overrideOutcome = null;
  const result = runOnBook(book, task);
  for (const [index, bet] of hidden.entries()) bet.overrideOutcome = overrides[index] ?? null;
  return result;
}

function boundPlusOne(book: Book, task: Task) {
  if (task.kind === 'batch' || !('bound' in task.operation)) return runOnBook(book, task);
  const { bound } = task.operation;
  return runOnBook(book, { ...task, operation: { ...task.operation, bound: bound + 1 } });
}

function refusalWithTrace(book: Book, task: Task) {
  const result = runOnBook(book, task);
  if (isFailure(result)) addToBalance(book, 1n, 1n);
  return result;
}
