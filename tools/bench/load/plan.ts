/** The messages between the benchmark and its load generator, which is a process of its own. */

export interface LoadAccount {
  /** The whole header line's value. */
  readonly authorization: string;
  readonly firstUserId: number;
  readonly users: number;
  /** References w1, w2, … */
  readonly wagers: number;
}

export type Workload =
  /** Any user, any wager. `make-keyed`: each offer with a key of its own. `batch`: 20 offers in one request. */
  | { readonly kind: 'make' | 'make-keyed' | 'accept' | 'mixed' | 'batch'; readonly accounts: readonly LoadAccount[] }
  /** The same request again and again. */
  | { readonly kind: 'get'; readonly path: string; readonly authorization: string };

export interface LoadPlan {
  readonly port: number;
  /** Each has one request under way at any time. */
  readonly connections: number;
  readonly warmUpMs: number;
  readonly measureMs: number;
  readonly workload: Workload;
}

export interface LoadResult {
  /** Answers 2xx a second. */
  readonly rate: number;
  /** Of answers 2xx. */
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Answers 2xx, with those of the warm-up. */
  readonly done: number;
  /** Counts of other answers, by status; `lost` stands for broken connections. */
  readonly faults: Readonly<Record<string, number>>;
}

export type LoadMessage = { readonly result: LoadResult } | { readonly fault: string };
