import { movementOf } from '#core/impact.js';
import { asMicros, type Micros, ZERO } from '#core/money.js';
import { isDecided, type Outcome } from '#core/outcome.js';
import { exposureOf } from '#core/position.js';
import type { Model } from '#proof/linearizability/linearizability.js';
import type { BetTerms } from '../bet-terms.js';
import type { Effect, EffectOf } from '../effects.js';
import { ReversibleValues } from './reversible-values.js';

// Balances and exposures of an account's users after any order of its operations. The state of a bet determines its
// impact; an operation changes states and moves users by the difference. The ledger's own rule computes how much a bet
// moves: the audit checks that rule, while this model checks the order of events.

export interface SeenUser {
  readonly id: number;
  readonly balance: Micros;
  readonly exposure: Micros;
}

/** The reasons for a refusal that the model can verify. */
export type Reason =
  | { readonly type: 'unfunded withdrawal'; readonly userId: number; readonly amount: Micros }
  | { readonly type: 'unfunded offer'; readonly userId: number; readonly wager: string; readonly amount: Micros }
  | { readonly type: 'wager decided'; readonly wager: string }
  | { readonly type: 'offer not open'; readonly betId: number };

/** The statements of an answer. */
export interface Claim {
  readonly effects: readonly Effect[];
  /** The users who had to be able to afford it. */
  readonly judged: readonly number[];
  readonly seen: readonly SeenUser[];
  readonly reason: Reason | undefined;
}

interface Impact {
  readonly balance: Micros;
  readonly win: Micros;
  readonly loss: Micros;
  readonly offered: Micros;
}

const NOTHING: Impact = { balance: ZERO, win: ZERO, loss: ZERO, offered: ZERO };

export class BalanceModel implements Model<Claim> {
  readonly #values = new ReversibleValues();
  readonly #marks: number[] = [];
  readonly #bets = new Map<number, BetTerms>();
  readonly #betsOf = new Map<string, BetTerms[]>();
  readonly #rests = new Map<number, BetTerms>();

  constructor(bets: readonly BetTerms[]) {
    for (const bet of bets) {
      this.#bets.set(bet.id, bet);
      this.#betsOf.set(bet.wager, [...(this.#betsOf.get(bet.wager) ?? []), bet]);
      if (bet.restOf !== undefined) this.#rests.set(bet.restOf, bet);
    }
  }

  apply(claim: Claim): boolean {
    const mark = this.#values.mark();
    if (this.#holds(claim)) {
      this.#marks.push(mark);
      return true;
    }
    this.#values.rewind(mark);
    return false;
  }

  undo(): void {
    this.#values.rewind(this.#marks.pop() ?? 0);
  }

  key(): string {
    return this.#values.key();
  }

  /** The user after all applied claims. */
  userNow(id: number): SeenUser {
    return { id, balance: asMicros(this.#balance(id)), exposure: asMicros(this.#exposure(id)) };
  }

  #holds({ effects, judged, seen, reason }: Claim): boolean {
    const before = new Map(judged.map((user) => [user, this.#inHand(user)]));
    return (
      effects.every((effect) => this.#happens(effect)) &&
      judged.every((user) => !this.#isOverdrawn(user, before.get(user) ?? 0n)) &&
      seen.every((user) => this.#balance(user.id) === user.balance && this.#exposure(user.id) === user.exposure) &&
      (reason === undefined || this.#isSo(reason))
    );
  }

  #happens(effect: Effect): boolean {
    switch (effect.type) {
      case 'user':
        return true;
      case 'movement':
        this.#values.add(`balance ${effect.userId}`, effect.received);
        return true;
      case 'offer':
        return this.#open(this.#bets.get(effect.betId));
      case 'acceptance':
        return this.#accept(effect);
      case 'cancellation':
        return this.#cancel(effect);
      case 'decision':
        return this.#decide(effect);
      case 'override':
        return this.#override(effect);
    }
  }

  #open(bet: BetTerms | undefined): boolean {
    if (bet === undefined || this.#state(bet.id) !== undefined || isDecided(this.#outcome(bet.wager))) return false;
    this.#restate([bet], () => this.#values.set(`state ${bet.id}`, 'open'));
    return true;
  }

  #accept({ betId, amount }: EffectOf<'acceptance'>): boolean {
    const bet = this.#bets.get(betId);
    if (bet === undefined || !this.#isOpen(bet)) return false;
    this.#restate([bet], () => this.#values.set(`state ${betId}`, 'accepted'));
    return amount === bet.offered || this.#open(this.#rests.get(betId));
  }

  #cancel({ betId, rest }: EffectOf<'cancellation'>): boolean {
    const named = this.#bets.get(betId);
    const bet = rest === undefined ? named : this.#bets.get(named?.restOf ?? 0);
    if (bet === undefined || !this.#isOpen(bet)) return false;
    this.#restate([bet], () => this.#values.set(`state ${bet.id}`, 'canceled'));
    return rest === undefined || this.#open(named);
  }

  /** Moves every bet of the wager at once: in plain accounts no bet is left to the worker. */
  #decide({ wager, outcome }: EffectOf<'decision'>): boolean {
    if (isDecided(this.#outcome(wager))) return false;
    this.#restate(this.#betsOf.get(wager) ?? [], () => this.#values.set(`outcome ${wager}`, outcome));
    return true;
  }

  #override({ betId, outcome }: EffectOf<'override'>): boolean {
    const bet = this.#bets.get(betId);
    if (bet === undefined || this.#state(betId) !== 'accepted') return false;
    this.#restate([bet], () => this.#values.set(`override ${betId}`, outcome));
    return true;
  }

  #isSo(reason: Reason): boolean {
    switch (reason.type) {
      case 'wager decided':
        return isDecided(this.#outcome(reason.wager));
      case 'offer not open':
        return this.#state(reason.betId) !== 'open';
      case 'unfunded withdrawal':
        return this.#wouldOverdraw(reason.userId, () => this.#values.add(`balance ${reason.userId}`, -reason.amount));
      case 'unfunded offer':
        return this.#wouldOverdraw(reason.userId, () =>
          this.#move(reason.userId, reason.wager, { ...NOTHING, offered: reason.amount }),
        );
    }
  }

  #wouldOverdraw(user: number, change: () => void): boolean {
    const mark = this.#values.mark();
    const before = this.#inHand(user);
    change();
    const isOverdrawn = this.#isOverdrawn(user, before);
    this.#values.rewind(mark);
    return isOverdrawn;
  }

  #isOverdrawn(user: number, before: bigint): boolean {
    const after = this.#inHand(user);
    return after < 0n && after < before;
  }

  #restate(bets: readonly BetTerms[], change: () => void): void {
    const before = bets.map((bet) => this.#impactOf(bet));
    change();
    for (const [index, bet] of bets.entries()) {
      const difference = minus(this.#impactOf(bet), before[index] ?? NOTHING);
      this.#move(bet.requesterId, bet.wager, difference);
      if (bet.acceptorId !== undefined) {
        this.#move(bet.acceptorId, bet.wager, { ...minus(NOTHING, difference), offered: ZERO });
      }
    }
  }

  /** The impact on the requester; the acceptor gets the opposite of all but `offered`. */
  #impactOf({ id, wager, odds, offered, accepted }: BetTerms): Impact {
    const state = this.#state(id);
    const outcome = this.#outcome(wager);
    if (state === 'open') return isDecided(outcome) ? NOTHING : { ...NOTHING, offered };
    if (state !== 'accepted' || accepted === undefined) return NOTHING;
    const terms = { odds, amount: accepted };
    const effective = (this.#values.textOf(`override ${id}`) as Outcome | undefined) ?? outcome;
    if (isDecided(effective)) return { ...NOTHING, balance: movementOf(effective, terms) };
    return { ...NOTHING, win: movementOf('win', terms), loss: movementOf('loss', terms) };
  }

  #move(user: number, wager: string, { balance, win, loss, offered }: Impact): void {
    this.#values.add(`balance ${user}`, balance);
    if (win === ZERO && loss === ZERO && offered === ZERO) return;
    const atRisk = this.#riskOf(user, wager);
    this.#values.add(`win ${user} ${wager}`, win);
    this.#values.add(`loss ${user} ${wager}`, loss);
    this.#values.add(`offered ${user} ${wager}`, offered);
    this.#values.add(`exposure ${user}`, this.#riskOf(user, wager) - atRisk);
  }

  #riskOf(user: number, wager: string): bigint {
    const part = (name: string) => asMicros(this.#values.amountOf(`${name} ${user} ${wager}`));
    return exposureOf({ win: part('win'), loss: part('loss'), offered: part('offered') });
  }

  #isOpen = ({ id, wager }: BetTerms): boolean => this.#state(id) === 'open' && !isDecided(this.#outcome(wager));
  #state = (bet: number): string | undefined => this.#values.textOf(`state ${bet}`);
  #outcome = (wager: string): Outcome =>
    (this.#values.textOf(`outcome ${wager}`) as Outcome | undefined) ?? 'undecided';
  #balance = (user: number): bigint => this.#values.amountOf(`balance ${user}`);
  #exposure = (user: number): bigint => this.#values.amountOf(`exposure ${user}`);
  #inHand = (user: number): bigint => this.#balance(user) - this.#exposure(user);
}

const minus = (one: Impact, other: Impact): Impact => ({
  balance: asMicros(one.balance - other.balance),
  win: asMicros(one.win - other.win),
  loss: asMicros(one.loss - other.loss),
  offered: asMicros(one.offered - other.offered),
});
