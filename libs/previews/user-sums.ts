import { exposureOf } from '#core/impact.js';
import { asMicros, type Micros, magnitudeOf } from '#core/money.js';

/** What is known of a user: the columns of its row. */
const COLUMNS = {
  userId: 0,
  balanceMove: 1,
  winMove: 2,
  lossMove: 3,
  offeredMove: 4,
  balance: 5,
  exposure: 6,
  exposureAfter: 7,
} as const;
const ROW_LENGTH = Object.keys(COLUMNS).length;
const ROWS_AT_FIRST = 256;
const MORE_THAN_ANY_MOVE = 2 ** 64;

/** A user as the snapshot shows it: its balance and exposure, and its position in the wager. */
export interface StoredUser {
  readonly userId: bigint;
  readonly balance: bigint;
  readonly exposure: bigint;
  readonly win: bigint;
  readonly loss: bigint;
  readonly offered: bigint;
}

export interface SummedUser {
  readonly userId: bigint;
  readonly balance: Micros;
  readonly balanceAfter: Micros;
  readonly exposure: Micros;
  readonly exposureAfter: Micros;
}

/** What moves of each user. In one array of integers, because a large wager has a hundred thousand users. */
export class UserSums {
  readonly #rowOf = new Map<bigint, number>();
  #figures = new BigInt64Array(ROWS_AT_FIRST * ROW_LENGTH);

  get userIds(): readonly bigint[] {
    return [...this.#rowOf.keys()];
  }

  addBalance(userId: bigint, difference: bigint): void {
    this.#add(this.#row(userId), 'balanceMove', difference);
  }

  addPosition(userId: bigint, { win, loss, offered }: Pick<StoredUser, 'win' | 'loss' | 'offered'>): void {
    const row = this.#row(userId);
    this.#add(row, 'winMove', win);
    this.#add(row, 'lossMove', loss);
    this.#add(row, 'offeredMove', offered);
  }

  /** Called once for each user, when all that moves is added. */
  note({ userId, balance, exposure, ...stored }: StoredUser): void {
    const row = this.#row(userId);
    const before = { win: asMicros(stored.win), loss: asMicros(stored.loss), offered: asMicros(stored.offered) };
    const after = {
      win: asMicros(stored.win + this.#get(row, 'winMove')),
      loss: asMicros(stored.loss + this.#get(row, 'lossMove')),
      offered: asMicros(stored.offered + this.#get(row, 'offeredMove')),
    };
    this.#add(row, 'balance', balance);
    this.#add(row, 'exposure', exposure);
    this.#add(row, 'exposureAfter', exposure + exposureOf(after) - exposureOf(before));
  }

  /** Adds what moves in another wager of the same snapshot, all of whose users are noted. */
  add(other: UserSums): void {
    for (const [userId, theirs] of other.#rowOf) {
      const isKnown = this.#rowOf.has(userId);
      const row = this.#row(userId);
      const effect = other.#get(theirs, 'exposureAfter') - other.#get(theirs, 'exposure');
      this.#add(row, 'balanceMove', other.#get(theirs, 'balanceMove'));
      this.#add(row, 'exposureAfter', isKnown ? effect : other.#get(theirs, 'exposureAfter'));
      if (isKnown) continue;
      this.#add(row, 'balance', other.#get(theirs, 'balance'));
      this.#add(row, 'exposure', other.#get(theirs, 'exposure'));
    }
  }

  /** The users of whom the balance or the exposure changes: first those below zero, then by how much the balance moves. */
  affected(): { readonly count: number; readonly belowZero: number; readonly users: Iterable<SummedUser> } {
    const effects = Float64Array.from(this.#rowOf.values(), (row) => this.#effect(row));
    const effectOf = (row: number): number => effects[row] as number;
    const rows = Uint32Array.from(this.#rowOf.values())
      .filter((row) => this.#isAffected(row))
      .sort((one, other) => effectOf(other) - effectOf(one) || this.#compare(one, other));
    const belowZero = rows.filter((row) => this.#balanceAfter(row) < 0n).length;
    return { count: rows.length, belowZero, users: this.#usersIn(rows) };
  }

  *#usersIn(rows: Iterable<number>): Generator<SummedUser> {
    for (const row of rows) {
      const [userId, balance, balanceAfter] = [
        this.#get(row, 'userId'),
        this.#get(row, 'balance'),
        this.#balanceAfter(row),
      ];
      const [exposure, exposureAfter] = [this.#get(row, 'exposure'), this.#get(row, 'exposureAfter')];
      yield { userId, balance, balanceAfter, exposure, exposureAfter };
    }
  }

  #isAffected(row: number): boolean {
    return this.#get(row, 'balanceMove') !== 0n || this.#get(row, 'exposure') !== this.#get(row, 'exposureAfter');
  }

  /** What the order goes by, rounded: numbers are compared faster than bigints. */
  #effect(row: number): number {
    return Number(magnitudeOf(this.#get(row, 'balanceMove'))) + (this.#balanceAfter(row) < 0n ? MORE_THAN_ANY_MOVE : 0);
  }

  /** Of equal effects, which may be rounded. */
  #compare(one: number, other: number): number {
    return (
      compare(magnitudeOf(this.#get(other, 'balanceMove')), magnitudeOf(this.#get(one, 'balanceMove'))) ||
      compare(this.#get(one, 'userId'), this.#get(other, 'userId'))
    );
  }

  #balanceAfter(row: number): Micros {
    return asMicros(this.#get(row, 'balance') + this.#get(row, 'balanceMove'));
  }

  #row(userId: bigint): number {
    const known = this.#rowOf.get(userId);
    if (known !== undefined) return known;
    const row = this.#rowOf.size;
    this.#rowOf.set(userId, row);
    if (this.#figures.length < this.#rowOf.size * ROW_LENGTH) {
      const larger = new BigInt64Array(2 * this.#figures.length);
      larger.set(this.#figures);
      this.#figures = larger;
    }
    this.#add(row, 'userId', userId);
    return row;
  }

  #get(row: number, column: keyof typeof COLUMNS): Micros {
    return asMicros(this.#figures[row * ROW_LENGTH + COLUMNS[column]] as bigint);
  }

  #add(row: number, column: keyof typeof COLUMNS, amount: bigint): void {
    this.#figures[row * ROW_LENGTH + COLUMNS[column]] = this.#get(row, column) + amount;
  }
}

export function* batchesOf<Item>(items: Iterable<Item>, size: number): Generator<Item[]> {
  let batch: Item[] = [];
  for (const item of items) {
    batch.push(item);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

const compare = (one: bigint, other: bigint): number => Number(one > other) - Number(one < other);
