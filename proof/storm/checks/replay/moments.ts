import { finalAnswer, type Operation } from '../../history.js';

// The event log is the order of an account's operations. A state is the number of its operations so far. An operation that
// the log has took place between two states, and a read in the state that its answer names. Everything else, such as a
// refusal, took place in some state between those before it was sent and those after it was answered.

/** An operation whose place in the order is known: it found one state, and left the same or the next. */
export interface Placed {
  readonly operation: Operation;
  readonly found: number;
  readonly left: number;
}

/** The states in which an operation may have taken place. */
export interface Window {
  readonly from: number;
  readonly until: number;
}

const answeredAt = ({ answeredAt: at = Number.POSITIVE_INFINITY }: Operation): number => at;

/** Looks up the states around an operation. `last`: the state at the end. */
export function windowsAmong(placed: readonly Placed[], last: number): (operation: Operation) => Window {
  const byAnswer = placed.toSorted((one, other) => answeredAt(one.operation) - answeredAt(other.operation));
  const byCall = placed.toSorted((one, other) => other.operation.calledAt - one.operation.calledAt);
  const leftBy = running(
    byAnswer.map(({ left }) => left),
    Math.max,
  );
  const foundFrom = running(
    byCall.map(({ found }) => found),
    Math.min,
  );
  return ({ calledAt, ...operation }) => {
    const before = countWhile(byAnswer, (other) => answeredAt(other.operation) < calledAt);
    const after = countWhile(byCall, (other) => other.operation.calledAt > answeredAt({ calledAt, ...operation }));
    return { from: leftBy[before - 1] ?? 0, until: foundFrom[after - 1] ?? last };
  };
}

function running(values: readonly number[], choose: (one: number, other: number) => number): number[] {
  const all: number[] = [];
  for (const value of values) all.push(choose(value, all.at(-1) ?? value));
  return all;
}

/** How many of the first items fit: all that do stand before those that do not. */
function countWhile<Item>(items: readonly Item[], fits: (item: Item) => boolean): number {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (fits(items[middle] as Item)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Operations that the log does not have, with the states in which each may have taken place. */
export class Unplaced {
  #waiting: (Window & { readonly operation: Operation })[];

  constructor(operations: readonly Operation[], windowOf: (operation: Operation) => Window) {
    const answered = operations.filter((operation) => finalAnswer(operation) !== undefined);
    this.#waiting = answered
      .map((operation) => ({ operation, ...windowOf(operation) }))
      .toSorted((one, other) => one.operation.calledAt - other.operation.calledAt);
  }

  /**
   * Takes those out that the state explains: each as early as it can, so that it leaves the most room to those that were sent
   * after its answer. Returns those that no state has explained by now.
   */
  lookAt(state: number, isExplained: (operation: Operation) => boolean): Operation[] {
    const unexplained: Operation[] = [];
    let earliestAnswer = Number.POSITIVE_INFINITY;
    this.#waiting = this.#waiting.filter(({ operation, from, until }) => {
      if (from > state) return true;
      if (operation.calledAt <= earliestAnswer && isExplained(operation)) return false;
      if (until <= state) {
        unexplained.push(operation);
        return false;
      }
      earliestAnswer = Math.min(earliestAnswer, answeredAt(operation));
      return true;
    });
    return unexplained;
  }
}
