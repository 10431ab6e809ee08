/** How long the caller of a task waits. */
export interface Deadline {
  /** By `performance.now()`. A task that has not started by then is dropped. */
  readonly at: number;
  /** Whether the caller has hung up, or has an answer already. */
  isGone(): boolean;
}
