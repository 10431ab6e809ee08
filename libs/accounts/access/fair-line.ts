import { LRUCache } from 'lru-cache';

/** Who asks for a hash. */
export interface Asker {
  /** From the widest to the narrowest; last, of a familiar asker, the account or the e-mail. */
  readonly networks: readonly { readonly name: string; readonly share: number }[];
  /** Whether this e-mail logged in from this network lately, or the asker has shown a credential. */
  readonly isFamiliar: boolean;
}

/** The service itself, which makes reset codes. */
export const SERVICE: Asker = { networks: [], isFamiliar: true };

export interface WaitingTask {
  readonly asker: Asker;
  readonly since: number;
}

/** How many tasks of one network wait at most, times its share. */
const OF_ONE_NETWORK = 16;
const MAX_REMEMBERED_TURNS = 10_000;
/** A network that had no turn for so long goes first, as one that never had a turn. */
const REMEMBERED_MS = 60_000;

/**
 * A bounded line in which networks take turns: the one that has waited longest for a turn has the next. The widest networks
 * take turns first, then the networks inside each. When too many wait, the network with the most tasks loses its newest
 * one: a flood from many networks cannot keep out a network that had no turn lately.
 */
export class FairLine<Task extends WaitingTask> {
  #waiting: Task[] = [];
  #turn = 0;
  /** The number of the last turn of each network. */
  readonly #turns = new LRUCache<string, number>({ max: MAX_REMEMBERED_TURNS, ttl: REMEMBERED_MS });

  constructor(private readonly places: number) {}

  get length(): number {
    return this.#waiting.length;
  }

  /** Adds a task, and returns the one that has no place: perhaps this one. */
  add(task: Task): Task | undefined {
    const loser = this.#loserTo(task);
    this.#waiting = [...this.#waiting, task].filter((one) => one !== loser);
    return loser;
  }

  hasRoomFor(asker: Asker): boolean {
    const task: WaitingTask = { asker, since: Number.POSITIVE_INFINITY };
    return this.#loserTo(task) !== task;
  }

  next(): Task | undefined {
    const [first, ...others] = this.#waiting;
    if (first === undefined) return undefined;
    const next = others.reduce((best, task) => (this.#compare(task, best) < 0 ? task : best), first);
    this.#waiting = this.#waiting.filter((task) => task !== next);
    this.#turn += 1;
    for (const { name } of next.asker.networks) this.#turns.set(name, this.#turn);
    return next;
  }

  /** Removes the tasks that came before a moment. */
  removeBefore(moment: number): Task[] {
    const late = this.#waiting.filter(({ since }) => since < moment);
    if (late.length > 0) this.#waiting = this.#waiting.filter(({ since }) => since >= moment);
    return late;
  }

  #turnOf(name: string): number {
    return this.#turns.peek(name) ?? 0;
  }

  /** Below zero: `one` has its turn before `other`. Zero: the one that came first. */
  #compare({ asker: one }: WaitingTask, { asker: other }: WaitingTask): number {
    const level = one.networks.findIndex(({ name }, index) => name !== other.networks[index]?.name);
    const [left, right] = [one.networks[level], other.networks[level]];
    return left === undefined || right === undefined ? 0 : this.#turnOf(left.name) - this.#turnOf(right.name);
  }

  /** The task without a place when this one comes; undefined: there is room. */
  #loserTo<Other extends WaitingTask>(task: Other): Task | Other | undefined {
    const all = [...this.#waiting, task];
    // From the narrowest network, so that a task that its own network refuses takes no place from others.
    for (const { name, share } of task.asker.networks.toReversed()) {
      const inside = all.filter(({ asker }) => asker.networks.some((network) => network.name === name));
      if (inside.length > OF_ONE_NETWORK * share) return this.#loserOf(inside);
    }
    return all.length > this.places ? this.#loserOf(all) : undefined;
  }

  /** The newest task of the network with the most tasks, at each level; among equals, of the one that had the last turn. */
  #loserOf<Any extends WaitingTask>(tasks: readonly Any[], level = 0): Any | undefined {
    const groups = new Map<string | undefined, Any[]>();
    for (const task of tasks) {
      const name = task.asker.networks[level]?.name;
      groups.set(name, [...(groups.get(name) ?? []), task]);
    }
    const newest = tasks.at(-1);
    if (newest === undefined || groups.has(undefined)) return newest;
    const rankOf = (name = '', inside: readonly Any[] = []) =>
      [inside.length, this.#turnOf(name), inside.at(-1)?.since ?? 0] as const;
    const [[, largest = []] = []] = [...groups].sort((one, other) => compareRanks(rankOf(...other), rankOf(...one)));
    return this.#loserOf(largest, level + 1);
  }
}

type Rank = readonly [number, number, number];

const compareRanks = (one: Rank, other: Rank): number =>
  one[0] - other[0] || one[1] - other[1] || (one[2] > other[2] ? 1 : -1);
