/** Makes the same choices in every run with the same seed. */
export interface SeededRandom {
  /** True with this probability, from 0 to 1. */
  happens(probability: number): boolean;
  /** A whole number from 0 to just below the end. */
  below(end: number): number;
  pick<Item>(items: readonly [Item, ...Item[]]): Item;
  /** Picks each item in proportion to its weight. */
  pickWeighted<Item extends { readonly weight: number }>(items: readonly [Item, ...Item[]]): Item;
  shuffle<Item>(items: readonly Item[]): Item[];
}

export function createSeededRandom(seed: number): SeededRandom {
  const draw = mulberry32(seed);
  return {
    happens: (probability) => draw() < probability,
    below: (end) => Math.floor(draw() * end),
    pick: <Item>(items: readonly [Item, ...Item[]]) => items[Math.floor(draw() * items.length)] ?? items[0],
    pickWeighted(items) {
      let left = draw() * items.reduce((sum, { weight }) => sum + weight, 0);
      for (const item of items) {
        left -= item.weight;
        if (left < 0) return item;
      }
      return items[0];
    },
    shuffle(items) {
      const keyed = items.map((item) => ({ item, key: draw() }));
      return keyed.sort((one, other) => one.key - other.key).map(({ item }) => item);
    },
  };
}

/** A small, well-known generator; its quality is enough for choosing test inputs. */
function mulberry32(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
