/*
 * Checks as data. A pass is one query that reads every row of a kind once, for all checks that need the same joins and
 * sums. All SQL of this folder is written from docs/domain.md alone: it shares nothing with the code that changes the
 * ledger, so a fault there is not repeated here.
 */

import type { Scope } from './scope.js';

/** A rule that holds for each row of a pass. */
export interface Check {
  /** The rule, as reports show it. */
  readonly name: string;
  /** The column of the pass that describes the fault of its row; null: no fault. */
  readonly column: string;
}

export interface Pass {
  /** The kind of its rows, as reports show it: `bets`. */
  readonly things: string;
  /** A query with a row for each thing: `account_id`, `id` (for the order), `subject` (its name), a column per check. */
  readonly rows: (scope: Scope) => string;
  /** Few of its rows are in large tables, where a key finds each. */
  readonly readsByKey?: boolean;
  readonly checks: readonly Check[];
}

interface Difference {
  readonly accountId: bigint;
  /** `bet 12`; empty for the account itself. */
  readonly subject: string;
  /** `is settled as win, should be loss` */
  readonly text: string;
}

/** The result of a check. */
export interface Finding {
  readonly name: string;
  readonly things: string;
  readonly compared: number;
  readonly differing: number;
  /** The first of them. */
  readonly differences: readonly Difference[];
  /** All accounts in which something differs. */
  readonly accountIds: readonly bigint[];
}

export interface AuditReport {
  readonly findings: readonly Finding[];
  readonly tookMs: number;
}
