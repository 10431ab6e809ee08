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
const MAX_REMEMBERED_NETWORKS = 10_000;
/** A network that has neither had a turn nor been refused for so long goes first, like one that never asked. */
const REMEMBERED_MS = 60_000;

/**
 * A bounded line in which networks take turns: the next turn is of the network whose last turn or last refusal is the
 * oldest. The widest networks take turns first, then the networks inside each. When too many wait, the network with the
 * most tasks loses its newest one. So a flood from many networks does not keep out a network that did not ask lately.
 */
export class FairLine<Task extends WaitingTask> {
  #waiting: Task[] = [];
  #marks = 0;
  /** The number of the last turn or refusal of each network. */
  readonly #lastMarks = new LRUCache<string, number>({ max: MAX_REMEMBERED_NETWORKS, ttl: REMEMBERED_MS });

  constructor(private readonly capacity: number) {}

  get length(): number {
    return this.#waiting.length;
  }

  /** Adds a task, and returns the one that there is no room for: perhaps this one. */
  add(task: Task): Task | undefined {
    const loser = this.#loserTo(task);
    this.#waiting = [...this.#waiting, task].filter((one) => one !== loser);
    if (loser !== undefined) this.#mark(loser);
    return loser;
  }

  /** False is a refusal. */
  hasRoomFor(asker: Asker): boolean {
    const task: WaitingTask = { asker, since: Number.POSITIVE_INFINITY };
    const hasRoom = this.#loserTo(task) !== task;
    if (!hasRoom) this.#mark(task);
    return hasRoom;
  }

  next(): Task | undefined {
    const [first, ...others] = this.#waiting;
    if (first === undefined) return undefined;
    const next = others.reduce((best, task) => (this.#compare(task, best) < 0 ? task : best), first);
    this.#waiting = this.#waiting.filter((task) => task !== next);
    this.#mark(next);
    return next;
  }

  /** Removes the tasks that came before a moment: they are refused. */
  removeBefore(moment: number): Task[] {
    const late = this.#waiting.filter(({ since }) => since < moment);
    if (late.length > 0) this.#waiting = this.#waiting.filter(({ since }) => since >= moment);
    for (const task of late) this.#mark(task);
    return late;
  }

  #mark({ asker }: WaitingTask): void {
    this.#marks += 1;
    for (const { name } of asker.networks) this.#lastMarks.set(name, this.#marks);
  }

  #lastMarkOf(name: string): number {
    return this.#lastMarks.peek(name) ?? 0;
  }

  /** Below zero: `one` has its turn before `other`. Zero: the one that came first. */
  #compare({ asker: one }: WaitingTask, { asker: other }: WaitingTask): number {
    const level = one.networks.findIndex(({ name }, index) => name !== other.networks[index]?.name);
    const [left, right] = [one.networks[level], other.networks[level]];
    return left === undefined || right === undefined ? 0 : this.#lastMarkOf(left.name) - this.#lastMarkOf(right.name);
  }

  /** The task that must go when this one comes; undefined: there is room. */
  #loserTo<Other extends WaitingTask>(task: Other): Task | Other | undefined {
    const all = [...this.#waiting, task];
    // From the narrowest network, so that a task that its own network refuses takes no room from others.
    for (const { name, share } of task.asker.networks.toReversed()) {
      const inside = all.filter(({ asker }) => asker.networks.some((network) => network.name === name));
      if (inside.length > OF_ONE_NETWORK * share) return this.#loserOf(inside);
    }
    return all.length > this.capacity ? this.#loserOf(all) : undefined;
  }

  /** The newest task of the network with the most tasks, at each level; among equals, of the one with the last mark. */
  #loserOf<Any extends WaitingTask>(tasks: readonly Any[], level = 0): Any | undefined {
    const groups = new Map<string | undefined, Any[]>();
    for (const task of tasks) {
      const name = task.asker.networks[level]?.name;
      groups.set(name, [...(groups.get(name) ?? []), task]);
    }
    const newest = tasks.at(-1);
    if (newest === undefined || groups.has(undefined)) return newest;
    const rankOf = (name = '', inside: readonly Any[] = []) =>
      [inside.length, this.#lastMarkOf(name), inside.at(-1)?.since ?? 0] as const;
    const [[, largest = []] = []] = [...groups].sort((one, other) => compareRanks(rankOf(...other), rankOf(...one)));
    return this.#loserOf(largest, level + 1);
  }
}

type Rank = readonly [number, number, number];

const compareRanks = (one: Rank, other: Rank): number =>
  one[0] - other[0] || one[1] - other[1] || (one[2] > other[2] ? 1 : -1);
