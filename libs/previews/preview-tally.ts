import { Book, type BookAccount } from '#core/book.js';
import { asMicros, type Micros, magnitudeOf, ZERO } from '#core/money.js';
import { execute, isFailure, needsOf, type Operation } from '#core/operation.js';
import type { Bet, Moment, StepKind, Wager } from '#core/records.js';
import { Rejection } from '#core/rejection.js';
import type { PreviewedBets } from './preview.js';
import { UserSums } from './user-sums.js';

const drawNone = (): bigint => {
  throw new Error('a preview draws no id');
};

/**
 * Adds up what an operation does to the bets of a wager, which come in parts: the core does the whole operation to each part,
 * in a Book that holds nothing else. What moves are differences, so in these Books every user begins with nothing.
 */
export class PreviewTally {
  #refusal: string | null = null;
  #moved = 0n;
  #users = new UserSums();
  readonly #kinds = new Map<StepKind, number>();

  constructor(
    private readonly account: Pick<BookAccount, 'id' | 'decimals'>,
    private readonly operation: Operation,
    private readonly now: Moment,
  ) {}

  /** Why the operation is refused. */
  get refusal(): string | null {
    return this.#refusal;
  }

  get moved(): Micros {
    return asMicros(this.#moved);
  }

  get users(): UserSums {
    return this.#users;
  }

  get bets(): PreviewedBets {
    const count = (kind: StepKind): number => this.#kinds.get(kind) ?? 0;
    return {
      settled: count('bet.settled'),
      unsettled: count('bet.unsettled'),
      expiredOffers: count('offer.expired'),
      reopenedOffers: count('offer.reopened'),
      canceledOffers: count('offer.canceled'),
    };
  }

  /** Does the operation to some bets of the wager. Undefined: there is no such wager. */
  add(wager: Wager | undefined, bets: readonly Bet[]): void {
    const book = this.#bookOf(wager, bets);
    const paidBefore = bets.map(({ paid }) => paid);
    const result = execute(book, this.operation);
    if (result instanceof Rejection) {
      this.#refuse(result);
      return;
    }
    if (isFailure(result)) throw new Error('an operation that is previewed needs no offers');
    for (const [index, { paid }] of bets.entries())
      this.#moved += magnitudeOf((paid ?? 0n) - (paidBefore[index] ?? 0n));
    this.#note(book);
  }

  /** What happened to other bets does not happen either. */
  #refuse({ text }: Rejection): void {
    this.#refusal = text;
    this.#moved = 0n;
    this.#users = new UserSums();
    this.#kinds.clear();
  }

  #bookOf(wager: Wager | undefined, bets: readonly Bet[]): Book {
    const account = { ...this.account, allowNegativeBalance: true };
    const book = new Book({ account, now: this.now, nextBetId: drawNone, nextWagerId: drawNone });
    if (wager === undefined) return book;
    book.loadWager({ ...wager });
    for (const bet of bets) {
      for (const id of [bet.requestingUserId, bet.acceptingUserId]) {
        if (id === null) continue;
        book.loadUser({ ...NOTHING, id });
        book.positions.loadEmpty(id, wager.id);
      }
      book.loadBet(bet);
    }
    const pending = needsOf(this.operation).pendingBets;
    if (pending !== null) {
      const decision = { outcome: pending.outcome ?? wager.outcome, voidFrom: pending.voidFrom };
      book.countPending(wager.id, decision, bets.length, false);
    }
    return book;
  }

  /** Not from its `changes()`, which leave out positions that need not be stored. */
  #note({ journal, users, positions }: Book): void {
    for (const { kinds } of journal.trails)
      for (const kind of kinds) this.#kinds.set(kind, (this.#kinds.get(kind) ?? 0) + 1);
    for (const { id, balance } of users.updated) this.#users.addBalance(id, balance);
    for (const position of positions.inserted) this.#users.addPosition(position.userId, position);
  }
}

const NOTHING = { reference: '', allowNegativeBalance: null, isDisputed: false, balance: ZERO, exposure: ZERO };
