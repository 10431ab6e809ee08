import type { Outcome } from '#core/outcome.js';

/** A wager, as it is shown. */
export interface Wager {
  readonly accountId: bigint;
  readonly id: bigint;
  readonly reference: string;
  readonly outcome: Outcome;
  /** Since when bets wait to be moved to where the outcome says; null: all are there. */
  readonly settlingSince: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** How far the bets of a wager are. */
export interface Settlement {
  /** The matched ones. */
  readonly bets: number;
  /** Those of them whose outcome is in the balances. */
  readonly settled: number;
  /** What still has to move to where the outcome says, offers too. */
  readonly remaining: number;
}

export interface WagerWithSettlement {
  readonly wager: Wager;
  readonly settlement: Settlement;
}

export const wagerSortFields = ['created_at', 'id'] as const;

export interface WagerListRequest {
  readonly accountIds: readonly bigint[];
  readonly outcomes: readonly Outcome[] | undefined;
  readonly references: readonly string[] | undefined;
  readonly sortBy: (typeof wagerSortFields)[number];
  readonly descending: boolean;
  readonly offset: number;
  readonly limit: number;
}
