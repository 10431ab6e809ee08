/** Ids drawn from a sequence; `next` returns them in ascending order. */
export class DrawnIds {
  #ids: bigint[] = [];

  add(ids: readonly bigint[]): void {
    this.#ids = [...this.#ids, ...ids].sort((one, other) => (one < other ? -1 : 1));
  }

  readonly next = (): bigint => {
    const id = this.#ids.shift();
    if (id === undefined) throw new Error('more ids are used than were drawn');
    return id;
  };
}
