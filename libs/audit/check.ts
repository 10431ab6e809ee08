/*
 * Checks as data. A pass is one query that looks at every row of a kind, once, for all the checks that need the same
 * joins and sums. All the SQL of this folder is written from docs/domain.md alone: it shares nothing with the code that
 * moves the ledger, so a fault there is not repeated here.
 */

/** Something that must hold of each row of a pass. */
export interface Check {
  /** What is compared with what. */
  readonly name: string;
  /** The column of the pass that says what is wrong with its row; null: nothing. */
  readonly column: string;
}

export interface Pass {
  /** What its rows are, as a count shows it: `bets`. */
  readonly things: string;
  /** A row for each thing: `account_id`, `id` (which orders them), `subject` (a text that names it), a column a check.  */
  readonly rows: string;
  readonly checks: readonly Check[];
}

export interface Difference {
  readonly accountId: bigint;
  /** `bet 12`; empty: the account itself. */
  readonly subject: string;
  /** `is settled as win, should be loss` */
  readonly text: string;
}

/** What became of a check. */
export interface Finding {
  readonly name: string;
  readonly things: string;
  readonly compared: number;
  readonly differing: number;
  /** The first of them. */
  readonly differences: readonly Difference[];
}

export interface AuditReport {
  readonly findings: readonly Finding[];
  readonly tookMs: number;
}
