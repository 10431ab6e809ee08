/** A waiting item, and how much of a group it takes. */
export interface Weighed {
  readonly accountId: bigint;
  readonly weight: number;
}

interface AccountQueue<Item> {
  readonly items: Item[];
  weight: number;
}

/** Items of accounts in the same tables may be in one group. */
export type TablesOfAccount = (accountId: bigint) => unknown;

/**
 * Waiting items by account. Groups take them in turns: while several accounts wait, none gets more than its share of a
 * group, however many items it has waiting. The part of its share that an account leaves goes to the others.
 */
export class AccountQueues<Item extends Weighed> {
  /** In the order of the turns: an account that was served goes to the end. */
  readonly #queues = new Map<bigint, AccountQueue<Item>>();
  readonly #tablesOf: TablesOfAccount | undefined;
  #count = 0;
  #weight = 0;

  /** Without `tablesOf` all accounts are in the same tables. */
  constructor(tablesOf?: TablesOfAccount) {
    this.#tablesOf = tablesOf;
  }

  get count(): number {
    return this.#count;
  }

  get weight(): number {
    return this.#weight;
  }

  /** The weight that groups take before they come to a new item of the account. */
  weightBefore(accountId: bigint): number {
    const own = this.#queues.get(accountId);
    const accounts = this.#queues.size + (own === undefined ? 1 : 0);
    return Math.min(this.#weight, ((own?.weight ?? 0) + 1) * accounts - 1);
  }

  add(item: Item): void {
    const queue = this.#queues.get(item.accountId) ?? { items: [], weight: 0 };
    this.#queues.set(item.accountId, queue);
    queue.items.push(item);
    queue.weight += item.weight;
    this.#count += 1;
    this.#weight += item.weight;
  }

  /** Removes and returns the items of the next group: at least one item, and no more than the weight beside it. */
  take(maxWeight: number): Item[] {
    const taken: Item[] = [];
    let left = maxWeight;
    let isProgress = true;
    const isNear = this.#nearFirst();
    let accountIds = this.#accountIds(isNear);
    while (isProgress && left > 0 && accountIds.length > 0) {
      isProgress = false;
      const share = Math.max(1, Math.floor(left / accountIds.length));
      for (const accountId of accountIds) {
        const turn = this.#takeTurn(accountId, Math.min(share, left), taken.length === 0);
        taken.push(...turn);
        left -= turn.reduce((weight, item) => weight + item.weight, 0);
        isProgress ||= turn.length > 0;
      }
      accountIds = this.#accountIds(isNear);
    }
    return taken;
  }

  /** Whether an account is in the tables of the first; undefined: all are. */
  #nearFirst(): ((accountId: bigint) => boolean) | undefined {
    const tablesOf = this.#tablesOf;
    const [first] = this.#queues.keys();
    if (tablesOf === undefined || first === undefined) return undefined;
    const tables = tablesOf(first);
    return (accountId) => tablesOf(accountId) === tables;
  }

  #accountIds(isNear: ((accountId: bigint) => boolean) | undefined): bigint[] {
    const all = [...this.#queues.keys()];
    return isNear === undefined ? all : all.filter(isNear);
  }

  /** Removes and returns items of the account whose turn it is. */
  takeAccount(maxWeight: number): Item[] {
    const [accountId] = this.#queues.keys();
    return accountId === undefined ? [] : this.#takeTurn(accountId, maxWeight, true);
  }

  /** Removes and returns the items that are not wanted any more. */
  remove(isUnwanted: (item: Item) => boolean): Item[] {
    const removed: Item[] = [];
    for (const [accountId, { items }] of [...this.#queues]) {
      if (!items.some(isUnwanted)) continue;
      this.#queues.delete(accountId);
      for (const item of items) {
        this.#count -= 1;
        this.#weight -= item.weight;
        if (isUnwanted(item)) removed.push(item);
        else this.add(item);
      }
    }
    return removed;
  }

  /** From the front of one account's queue; `isFirst`: at least one item, of any weight. */
  #takeTurn(accountId: bigint, maxWeight: number, isFirst: boolean): Item[] {
    const queue = this.#queues.get(accountId);
    if (queue === undefined) return [];
    let weight = 0;
    let end = 0;
    for (const item of queue.items) {
      if (weight + item.weight > maxWeight && !(isFirst && end === 0)) break;
      weight += item.weight;
      end += 1;
    }
    if (end === 0) return [];
    const turn = queue.items.splice(0, end);
    queue.weight -= weight;
    this.#weight -= weight;
    this.#count -= end;
    this.#queues.delete(accountId);
    if (queue.items.length > 0) this.#queues.set(accountId, queue);
    return turn;
  }
}
