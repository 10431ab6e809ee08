/** Short, so that a change moves few items. */
const MOST_OF_PART = 256;

/** How many items at the start of a list pass the test; those behind them do not. */
function countFirst<Item>(list: readonly Item[], isFirst: (item: Item) => boolean): number {
  let [from, to] = [0, list.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (isFirst(list[middle] as Item)) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** Items in an order, of which no two are equal in it. */
export class SortedList<Item> {
  /** None is empty. */
  readonly #parts: Item[][] = [];
  #length = 0;

  constructor(private readonly isBefore: (one: Item, other: Item) => boolean) {}

  get length(): number {
    return this.#length;
  }

  add(item: Item): void {
    this.#length += 1;
    const index = Math.min(this.#partOf(item), this.#parts.length - 1);
    const part = this.#parts[index];
    if (part === undefined) {
      this.#parts.push([item]);
      return;
    }
    part.splice(this.#indexIn(part, item), 0, item);
    if (part.length > MOST_OF_PART) this.#parts.splice(index + 1, 0, part.splice(part.length >> 1));
  }

  /** An item that is in the list. */
  remove(item: Item): void {
    this.#length -= 1;
    const index = this.#partOf(item);
    const part = this.#parts[index] as Item[];
    part.splice(this.#indexIn(part, item), 1);
    if (part.length === 0) this.#parts.splice(index, 1);
  }

  at(index: number): Item | undefined {
    let left = index;
    for (const part of this.#parts) {
      if (left < part.length) return part[left];
      left -= part.length;
    }
    return undefined;
  }

  /** The item, and all that come after it. */
  *from(item: Item): Generator<Item> {
    const first = this.#partOf(item);
    for (let part = first; part < this.#parts.length; part += 1) {
      const items = this.#parts[part] as Item[];
      for (let index = part === first ? this.#indexIn(items, item) : 0; index < items.length; index += 1)
        yield items[index] as Item;
    }
  }

  #partOf(item: Item): number {
    return countFirst(this.#parts, (part) => this.isBefore(part.at(-1) as Item, item));
  }

  #indexIn(part: readonly Item[], item: Item): number {
    return countFirst(part, (other) => this.isBefore(other, item));
  }
}
