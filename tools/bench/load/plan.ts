/** The messages between the benchmark and its load generator, which is a process of its own. */

export interface LoadAccount {
  /** The whole header line's value. */
  readonly authorization: string;
  readonly firstUserId: number;
  readonly users: number;
  /** References w1, w2, … */
  readonly wagers: number;
}

export interface FixedRequest {
  /** Requests of one label are counted together. */
  readonly label: string;
  readonly authorization: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: unknown;
  /** An Idempotency-Key. */
  readonly key?: string;
}

/** References `<name><from>`, `<name><from + 1>`, …: `count` wagers in each account. */
export interface NumberedWagers {
  readonly name: string;
  readonly from: number;
  readonly count: number;
}

/** `spread`: any user at any time. `own`: each connection has users of its own, in turn. */
export type UserChoice = 'spread' | 'own';

export type Workload =
  /** Offers, each with a key of its own. */
  | { readonly kind: 'make-keyed'; readonly accounts: readonly LoadAccount[] }
  | {
      readonly kind: 'make' | 'accept' | 'mixed';
      readonly accounts: readonly LoadAccount[];
      readonly choice?: UserChoice;
    }
  | { readonly kind: 'batch'; readonly accounts: readonly LoadAccount[]; readonly size: number }
  /** Each of these wagers of every account once; then the load ends, however much time is left. */
  | { readonly kind: 'decide'; readonly accounts: readonly LoadAccount[]; readonly wagers: NumberedWagers }
  /** Every connection sends these in turn, again and again. */
  | { readonly kind: 'cycle'; readonly requests: readonly FixedRequest[] };

export interface LoadPlan {
  readonly port: number;
  readonly connections: number;
  readonly warmUpMs: number;
  readonly measureMs: number;
  /** Requests a second, all connections together; undefined: each connection sends as soon as it has its answer. */
  readonly pacePerSecond?: number;
  readonly workload: Workload;
}

export interface LoadFigures {
  /** Answers 2xx within the measured time, a second. The time ends early when nothing is left to send. */
  readonly rate: number;
  /** Answers to requests that were sent in the measured time, by status; `lost` stands for a broken connection. */
  readonly answers: Readonly<Record<string, number>>;
  readonly meanMs: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
}

export interface LoadResult {
  readonly all: LoadFigures;
  readonly byLabel: Readonly<Record<string, LoadFigures>>;
  /** A few texts of answers that were not 2xx. */
  readonly complaints: readonly string[];
  /** The share of one processor that the generator used. */
  readonly generatorLoad: number;
}

export type LoadAnswer =
  | { readonly type: 'result'; readonly result: LoadResult }
  | { readonly type: 'fault'; readonly text: string };
