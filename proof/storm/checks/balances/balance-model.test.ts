import { describe, expect, it } from '@jest/globals';
import type { OddsMicros } from '#core/money.js';
import { checkLinearizable, type Interval } from '#proof/linearizability/linearizability.js';
import { micros } from '#tools/shared/amounts.js';
import type { BetTerms } from '../bet-terms.js';
import type { Effect } from '../effects.js';
import { BalanceModel, type Claim } from './balance-model.js';

type TimedClaim = Claim & Interval;

const ANN = 1;
const BOB = 2;

/** Ann backs 10 at odds 3 (bet 1); Bob takes 4 of it; the rest is bet 2. */
const bets: BetTerms[] = [
  {
    id: 1,
    accountId: 7,
    wager: 'w',
    requesterId: ANN,
    odds: odds(3),
    offered: micros(10),
    acceptorId: BOB,
    accepted: micros(4),
    restOf: undefined,
  },
  {
    id: 2,
    accountId: 7,
    wager: 'w',
    requesterId: ANN,
    odds: odds(3),
    offered: micros(6),
    acceptorId: undefined,
    accepted: undefined,
    restOf: 1,
  },
];

function odds(value: number): OddsMicros {
  return micros(value) as bigint as OddsMicros;
}

/** Steps follow each other, unless `at` makes two overlap. */
function history(...steps: (Partial<Claim> & { at?: readonly [number, number] })[]): TimedClaim[] {
  return steps.map(({ at = undefined, ...claim }, index) => ({
    effects: [],
    judged: [],
    seen: [],
    reason: undefined,
    calledAt: at?.[0] ?? index * 10,
    answeredAt: at?.[1] ?? index * 10 + 5,
    ...claim,
  }));
}

const does = (effect: Effect, judged: number[] = []) => ({ effects: [effect], judged });
const fund = (userId: number, amount: number) =>
  does({ type: 'movement', id: 1, reference: 'TX', userId, received: micros(amount) });
const withdraw = (userId: number, amount: number) =>
  does({ type: 'movement', id: 1, reference: 'TX', userId, received: micros(-amount) }, [userId]);
const offer = () =>
  does({ type: 'offer', betId: 1, wager: 'w', userId: ANN, odds: odds(3), amount: micros(10) }, [ANN]);
const accept = () =>
  does({ type: 'acceptance', betId: 1, wager: 'w', userId: BOB, odds: odds(3), amount: micros(4) }, [BOB]);
const cancelRest = () => does({ type: 'cancellation', betId: 2, wager: 'w', rest: undefined });
const decide = (outcome: 'win' | 'loss') => does({ type: 'decision', wager: 'w', outcome });
const override = (outcome: 'win' | 'loss' | 'undecided') => does({ type: 'override', betId: 1, outcome });
const sees = (id: number, balance: number, exposure: number) => ({
  seen: [{ id, balance: micros(balance), exposure: micros(exposure) }],
});

const verdictOf = (claims: TimedClaim[]) => checkLinearizable<TimedClaim>(claims, new BalanceModel(bets)).verdict;
const evening = [fund(ANN, 100), fund(BOB, 100), offer(), accept()];

describe('the model of balances', () => {
  it('predicts both users after each step', () => {
    const claims = history(
      ...[fund(ANN, 100), fund(BOB, 100), sees(ANN, 100, 0)],
      ...[offer(), sees(ANN, 100, 10), sees(BOB, 100, 0)],
      ...[accept(), sees(ANN, 100, 10), sees(BOB, 100, 8)],
      ...[cancelRest(), sees(ANN, 100, 4)],
      ...[override('loss'), sees(ANN, 96, 0), sees(BOB, 104, 0)],
      ...[override('undecided'), sees(ANN, 100, 4), sees(BOB, 100, 8)],
      ...[decide('win'), sees(ANN, 100, 4)],
      ...[override('win'), sees(ANN, 108, 0), sees(BOB, 92, 0)],
    );
    expect(verdictOf(claims)).toBe('linearizable');
  });

  it('expires offers and settles bets at one moment', () => {
    expect(verdictOf(history(...evening, decide('loss'), sees(ANN, 96, 0), sees(BOB, 104, 0)))).toBe('linearizable');
    expect(verdictOf(history(...evening, decide('loss'), sees(ANN, 96, 6)))).toBe('not linearizable');
  });

  it('lets a read see both users before a decision, or both after it', () => {
    const both = (...users: ReturnType<typeof sees>[]) => ({ seen: users.flatMap(({ seen }) => seen) });
    const beside = { ...decide('loss'), at: [100, 200] } as const;
    const [before, after] = [both(sees(ANN, 100, 10), sees(BOB, 100, 8)), both(sees(ANN, 96, 0), sees(BOB, 104, 0))];
    const half = both(sees(ANN, 96, 0), sees(BOB, 100, 8));
    expect(verdictOf(history(...evening, beside, { ...before, at: [110, 120] }, { ...after, at: [130, 140] }))).toBe(
      'linearizable',
    );
    expect(verdictOf(history(...evening, beside, { ...half, at: [110, 120] }))).toBe('not linearizable');
    expect(verdictOf(history(...evening, beside, { ...after, at: [110, 120] }, { ...before, at: [130, 140] }))).toBe(
      'not linearizable',
    );
  });

  it.each<[string, TimedClaim[]]>([
    ['a stale read', history(fund(ANN, 5), fund(ANN, 5), sees(ANN, 5, 0))],
    ['a lost payment', history({ ...fund(ANN, 5), at: [0, 9] }, { ...fund(ANN, 5), at: [1, 8] }, sees(ANN, 5, 0))],
    [
      'the same money taken twice',
      history(fund(ANN, 5), { ...withdraw(ANN, 5), at: [20, 30] }, { ...withdraw(ANN, 5), at: [21, 31] }),
    ],
    ['an acceptance after the decision', history(...evening.slice(0, 3), decide('win'), accept())],
    ['an acceptance before the offer', history(fund(ANN, 100), fund(BOB, 100), accept(), offer())],
    ['an offer accepted twice', history(...evening, accept())],
    ['a wager decided twice', history(...evening, decide('win'), decide('win'))],
    ['an acceptance that the user cannot afford', history(fund(ANN, 100), fund(BOB, 7), offer(), accept())],
    [
      'a refusal without a reason',
      history(fund(ANN, 5), { reason: { type: 'unfunded withdrawal', userId: ANN, amount: micros(5) } }),
    ],
    ['a wager called decided that is not', history(...evening, { reason: { type: 'wager decided', wager: 'w' } })],
    ['an open offer called taken', history(...evening, { reason: { type: 'offer not open', betId: 2 } })],
    [
      'an offer refused that could be afforded',
      history(fund(ANN, 5), { reason: { type: 'unfunded offer', userId: ANN, wager: 'w', amount: micros(5) } }),
    ],
  ])('does not accept %s', (_name, claims) => {
    expect(verdictOf(claims)).toBe('not linearizable');
  });

  it('accepts refusals that have a reason', () => {
    const claims = history(
      ...[fund(ANN, 12), fund(BOB, 100), offer()],
      { reason: { type: 'unfunded withdrawal', userId: ANN, amount: micros(2.000001) } },
      { reason: { type: 'unfunded offer', userId: ANN, wager: 'v', amount: micros(2.5) } },
      ...[accept(), decide('loss')],
      { reason: { type: 'wager decided', wager: 'w' } },
      { reason: { type: 'offer not open', betId: 1 } },
    );
    expect(verdictOf(claims)).toBe('linearizable');
  });

  it('returns to its earlier states', () => {
    const model = new BalanceModel(bets);
    const keys = [model.key()];
    const steps = history(...evening, decide('win'), override('loss'));
    for (const step of steps) {
      expect(model.apply(step)).toBe(true);
      expect(keys).not.toContain(model.key());
      keys.push(model.key());
    }
    for (const key of keys.reverse().slice(1)) {
      model.undo();
      expect(model.key()).toBe(key);
    }
    expect(model.apply({ ...fund(ANN, 1), seen: sees(ANN, 2, 0).seen, reason: undefined })).toBe(false);
    expect(model.key()).toBe(keys.at(-1));
  });
});
