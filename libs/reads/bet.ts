import type { Micros, OddsMicros } from '#core/money.js';
import type { OfferStatus, Outcome, TrailEntry } from '#core/records.js';
import type { Meta, TextMeta } from './meta-filter.js';
import type { PageRequest } from './page.js';
import type { ShownTransaction } from './transaction.js';

/** A bet with its wager, as the API shows it. The ledger has its own type of bets: this one is only read. */
export interface ShownBet {
  readonly accountId: bigint;
  readonly id: bigint;
  readonly offerStatus: OfferStatus;
  readonly requestingUserId: bigint;
  readonly requestingUserReference: string;
  readonly acceptingUserId: bigint | null;
  readonly acceptingUserReference: string | null;
  readonly requestingOdds: OddsMicros;
  readonly requestingAmount: Micros;
  readonly effectiveOdds: OddsMicros | null;
  readonly effectiveAmount: Micros | null;
  /** Empty: open to every user. */
  readonly allowedAcceptorIds: readonly bigint[];
  readonly overrideOutcome: Outcome | null;
  readonly isActive: boolean;
  /** As its business gave it; null: it gave none. */
  readonly meta: Meta | null;
  readonly createdAt: Date;
  /** When the offer ends by itself. */
  readonly expiresAt: Date | null;
  readonly acceptedAt: Date | null;
  readonly wagerId: bigint;
  readonly wagerReference: string;
  readonly wagerOutcome: Outcome;
  readonly wagerCreatedAt: Date;
  readonly wagerUpdatedAt: Date;
}

export interface BetTrail extends Omit<TrailEntry, 'kinds' | 'restBetId' | 'reason'> {
  readonly accountId: bigint;
  readonly id: bigint;
  readonly createdAt: Date;
  /** Empty as well when they are not requested. */
  readonly transactions: readonly ShownTransaction[];
}

export type TrailsWanted = 'none' | 'trails' | 'with transactions';

export interface BetWithTrails {
  readonly bet: ShownBet;
  /** Undefined when they are not requested. */
  readonly trails: readonly BetTrail[] | undefined;
}

export const openBetSortFields = ['requesting_odds', 'requesting_amount', 'created_at'] as const;
export const historySortFields = ['effective_odds', 'effective_amount', 'created_at'] as const;

interface BetListRequest {
  readonly accountIds: readonly bigint[];
  readonly wagerReferences?: readonly string[] | undefined;
  readonly userIds?: readonly bigint[] | undefined;
  readonly userReferences?: readonly string[] | undefined;
  readonly createdFrom?: Date | undefined;
  readonly createdUntil?: Date | undefined;
  /** Texts that the `meta` of a bet has under these keys. */
  readonly meta?: TextMeta | undefined;
  readonly descending: boolean;
  readonly page: PageRequest;
}

/** The filter by users means those who made the offers. */
export interface OpenBetsRequest extends BetListRequest {
  readonly minimumOdds?: OddsMicros | undefined;
  readonly maximumOdds?: OddsMicros | undefined;
  readonly minimumAmount?: Micros | undefined;
  readonly maximumAmount?: Micros | undefined;
  readonly sortBy: (typeof openBetSortFields)[number];
}

/** The filter by users means both sides of a bet. */
export interface HistoryRequest extends BetListRequest {
  readonly outcomes: readonly Outcome[] | undefined;
  /** Of the match, or of the offer that has none. */
  readonly minimumAmount?: Micros | undefined;
  readonly trails: TrailsWanted;
  readonly sortBy: (typeof historySortFields)[number];
}
