/** Ids that the ledger reserved for a Book. An undone attempt gives its ids back for the next one. */
export class ReservedIds {
  /** In the order in which they were drawn the first time. */
  readonly #known: bigint[] = [];
  readonly #next: () => bigint;
  #drawnCount = 0;

  constructor(next: () => bigint) {
    this.#next = next;
  }

  draw(): bigint {
    const id = this.peek();
    this.#drawnCount += 1;
    return id;
  }

  /** The id that the next draw returns. */
  peek(): bigint {
    const id = this.#known[this.#drawnCount] ?? this.#next();
    this.#known[this.#drawnCount] = id;
    return id;
  }

  /** Returns the way back to here, for an attempt that fails: the next one draws the same ids. */
  mark(): () => void {
    const count = this.#drawnCount;
    return () => {
      this.#drawnCount = count;
    };
  }
}
