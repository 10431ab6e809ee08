/** Ids that the ledger reserved for a Book. An undone attempt gives its ids back for the next one. */
export class ReservedIds {
  readonly #returned: bigint[] = [];
  readonly #next: () => bigint;

  constructor(next: () => bigint) {
    this.#next = next;
  }

  draw(): bigint {
    return this.#returned.pop() ?? this.#next();
  }

  /** The id that the next draw returns. */
  peek(): bigint {
    const id = this.draw();
    this.giveBack(id);
    return id;
  }

  /** The latest drawn id first, so that the next attempt draws them in the same order. */
  giveBack(id: bigint): void {
    this.#returned.push(id);
  }
}
