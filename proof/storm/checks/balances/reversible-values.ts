type Value = bigint | string;

/** Named values that can return to any earlier state, and a key that identifies their present state. */
export class ReversibleValues {
  readonly #values = new Map<string, Value>();
  readonly #journal: { readonly name: string; readonly before: Value | undefined }[] = [];
  /** Exclusive-or sums of all values, so the order of changes has no influence. */
  readonly #sums = new Uint32Array(2);

  textOf(name: string): string | undefined {
    return this.#values.get(name) as string | undefined;
  }

  amountOf(name: string): bigint {
    return (this.#values.get(name) as bigint | undefined) ?? 0n;
  }

  set(name: string, value: Value): void {
    this.#journal.push({ name, before: this.#values.get(name) });
    this.#put(name, value);
  }

  add(name: string, amount: bigint): void {
    if (amount !== 0n) this.set(name, this.amountOf(name) + amount);
  }

  /** Identifies the present state for `rewind`. */
  mark(): number {
    return this.#journal.length;
  }

  rewind(mark: number): void {
    while (this.#journal.length > mark) {
      const change = this.#journal.pop();
      if (change !== undefined) this.#put(change.name, change.before);
    }
  }

  key(): string {
    return this.#sums.join();
  }

  #put(name: string, value: Value | undefined): void {
    this.#count(name, this.#values.get(name));
    if (value === undefined) this.#values.delete(name);
    else this.#values.set(name, value);
    this.#count(name, value);
  }

  #count(name: string, value: Value | undefined): void {
    // An amount of 0 equals no amount.
    if (value === undefined || value === 0n) return;
    for (const index of [0, 1]) {
      const sum = this.#sums[index] ?? 0;
      this.#sums[index] = sum ^ scrambled(`${name}=${value}`, index);
    }
  }
}

/** FNV-1a, and the last steps of MurmurHash3 so that every character changes every bit. */
function scrambled(text: string, seed: number): number {
  let hash = 0x811c9dc5 ^ (seed * 0x9e3779b9);
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}
