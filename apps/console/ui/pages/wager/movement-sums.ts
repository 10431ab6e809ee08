import { DECIDED, type DecidedOutcome, type Outcome } from '../ledger/tags.js';

// What each result of a wager moves, from its matched bets: exactly as the ledger computes it, in whole millionths.

const MICROS = 1_000_000;
const ONE = BigInt(MICROS);

export const microsOf = (amount: number): bigint => BigInt(Math.round(amount * MICROS));
export const amountOf = (micros: bigint): number => Number(micros) / MICROS;

/** A matched bet, as far as a result of its wager moves it. */
export interface MatchedBet {
  readonly id: number;
  readonly requesterId: number;
  readonly acceptorId: number;
  readonly odds: number;
  readonly amount: number;
  /** False for an inactive bet, and for one with an outcome of its own: no result of the wager moves it. */
  readonly moves: boolean;
}

/** Half away from zero. */
const divide = (dividend: bigint, divisor: bigint): bigint => (2n * dividend + divisor) / (2n * divisor);

/** The amounts that go from the acceptor to the requester, in the order of `DECIDED`; rounded once for each bet. */
export function movementsOf({ odds, amount }: Pick<MatchedBet, 'odds' | 'amount'>): readonly bigint[] {
  const stake = microsOf(amount);
  const winnings = stake * (microsOf(odds) - ONE);
  return [divide(winnings, ONE), divide(winnings, 2n * ONE), 0n, 0n, -divide(stake, 2n), -stake];
}

type Sums = bigint[];
const noSums = (): Sums => DECIDED.map(() => 0n);

function add(sums: Sums, movements: readonly bigint[], sign: bigint): void {
  for (const [place, movement] of movements.entries()) sums[place] = (sums[place] ?? 0n) + sign * movement;
}

/** What one result brings one user, or all requesters together. */
export type Figures = Readonly<Record<DecidedOutcome, number>>;

export interface UserFigures {
  readonly userId: number;
  readonly figures: Figures;
}

/** What the ledger's balances come to by each result, beside what the present outcome comes to. */
function beside(sums: Sums, present: Outcome): Figures {
  const place = DECIDED.indexOf(present as DecidedOutcome);
  const base = sums[place] ?? 0n;
  return Object.fromEntries(DECIDED.map((outcome, at) => [outcome, amountOf((sums[at] ?? 0n) - base)])) as Figures;
}

const largest = (figures: Figures): number => Math.max(...Object.values(figures).map(Math.abs));

/** Sums over bets that come and change one by one. */
export class MovementSums {
  readonly #bets = new Map<number, MatchedBet>();
  readonly #ofUsers = new Map<number, Sums>();
  readonly #ofRequesters = noSums();
  #moving = 0;

  get bets(): number {
    return this.#bets.size;
  }

  /** How many of the bets a result moves. */
  get moving(): number {
    return this.#moving;
  }

  bet(id: number): MatchedBet | undefined {
    return this.#bets.get(id);
  }

  /** Adds a bet, in place of what was known of it. */
  put(bet: MatchedBet): void {
    const earlier = this.#bets.get(bet.id);
    if (earlier !== undefined) this.#count(earlier, -1n);
    this.#bets.set(bet.id, bet);
    this.#count(bet, 1n);
  }

  #count(bet: MatchedBet, sign: bigint): void {
    if (!bet.moves) return;
    this.#moving += Number(sign);
    const movements = movementsOf(bet);
    add(this.#ofRequesters, movements, sign);
    add(this.#sumsOf(bet.requesterId), movements, sign);
    add(this.#sumsOf(bet.acceptorId), movements, -sign);
  }

  #sumsOf(userId: number): Sums {
    const sums = this.#ofUsers.get(userId) ?? noSums();
    this.#ofUsers.set(userId, sums);
    return sums;
  }

  /** What all requesters together get by each result; below zero: what they pay to the acceptors. */
  ofRequesters(present: Outcome): Figures {
    return beside(this.#ofRequesters, present);
  }

  get users(): number {
    return this.#ofUsers.size;
  }

  /** The users whom a result moves most. */
  mostAffected(present: Outcome, count: number): readonly UserFigures[] {
    return [...this.#ofUsers]
      .map(([userId, sums]) => ({ userId, figures: beside(sums, present) }))
      .sort((one, other) => largest(other.figures) - largest(one.figures) || one.userId - other.userId)
      .slice(0, count);
  }
}
