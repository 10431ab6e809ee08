import type { Outcome, WagerStatus } from '#core/records.js';
import type { CreatedWithin } from './list-reader.js';
import type { PageRequest } from './page.js';

/** A wager, as the API shows it. */
export interface ShownWager {
  readonly accountId: bigint;
  readonly id: bigint;
  readonly reference: string;
  readonly outcome: Outcome;
  /** Since when bets wait to be settled as the outcome says; null: none waits. */
  readonly settlingSince: Date | null;
  readonly status: WagerStatus;
  readonly statusReason: string | null;
  readonly closesAt: Date | null;
  readonly event: string | null;
  readonly startsAt: Date | null;
  readonly revision: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** The progress of a wager's bets. */
export interface SettlementProgress {
  /** Matched bets. */
  readonly bets: number;
  /** Matched bets whose outcome is in the balances. */
  readonly settled: number;
  /** Bets and offers that the outcome still has to move. */
  readonly remaining: number;
}

export interface WagerWithSettlement {
  readonly wager: ShownWager;
  readonly settlement: SettlementProgress;
}

/** By `closes_at`: only those that are closing. */
export const wagerSortFields = ['created_at', 'id', 'closes_at'] as const;

export interface WagerListRequest extends CreatedWithin {
  readonly accountIds: readonly bigint[];
  readonly outcomes: readonly Outcome[] | undefined;
  readonly references: readonly string[] | undefined;
  /** Only those with one of these labels. */
  readonly events?: readonly string[] | undefined;
  /** Only those whose bets wait for the worker, or only the others. */
  readonly isSettling: boolean | undefined;
  /** Only those that a time ahead will close, or only the others. */
  readonly isClosing?: boolean | undefined;
  /** Only those with a time to close that is not after this moment. */
  readonly closesUntil?: Date | undefined;
  readonly sortBy: (typeof wagerSortFields)[number];
  readonly descending: boolean;
  readonly page: PageRequest;
}
