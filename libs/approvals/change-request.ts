import type { ApprovalKind } from '#accounts/approvals.js';
import type { OperationOf } from '#core/operation.js';
import type { AdminAction } from '#core/records.js';
import type { PreviewedUser, PreviewFigures, SingleOperation } from '#previews/preview.js';

export const changeRequestStates = ['pending', 'executed', 'rejected', 'withdrawn', 'expired', 'failed'] as const;
export type ChangeRequestState = (typeof changeRequestStates)[number];

/** Who must approve: a person of the account, an admin, or one of each. */
export type Asks = Side | 'both';
export type Side = 'account' | 'admin';

export interface Person {
  /** Null: the API key that came with a sandbox. */
  readonly id: bigint | null;
  readonly name: string;
}

export const PREFERENCES = 'update_preferences';
/** An account that wants approval of its decisions wants it of their corrections too. */
export const CORRECTION = 'correct_wager_outcome';

export type RequestKind = ApprovalKind | typeof PREFERENCES | typeof CORRECTION;

/** What the ledger does when it is approved. */
export type RequestedOperation = SingleOperation | OperationOf<'withdraw'>;

/** What an operation would move, and what tells it from another movement. */
export interface OperationMovement {
  readonly figures: PreviewFigures;
  readonly largest: readonly PreviewedUser[];
  readonly digests: Digests;
  /** How many bets it would move. */
  readonly moving: number;
}

/**
 * Of what moves of each user. While a request has its wager suspended offers may still end, so then the money alone counts: a
 * suspension that somebody lifts is seen by the revision.
 */
export interface Digests {
  readonly whole: string;
  readonly money: string;
}

export interface ChangeRequestKey {
  readonly accountId: bigint;
  readonly id: bigint;
}

export interface ChangeRequest extends ChangeRequestKey {
  readonly kind: RequestKind;
  /** As the API takes it. */
  readonly operation: object;
  /** `wager:5`, `user:3` or `preferences`. */
  readonly target: string;
  readonly asks: Asks;
  readonly reason: string | null;
  /** Of a correction. */
  readonly action: AdminAction | null;
  /** The request has suspended its wager. */
  readonly suspended: boolean;
  /** Of the wager, when the request was made. */
  readonly revision: number;
  /** Undefined: it moves nothing. */
  readonly shown: Pick<OperationMovement, 'figures' | 'largest'> | undefined;
  readonly digest: string | null;
  readonly state: ChangeRequestState;
  readonly madeBy: Person;
  /** The first of two approvals, and whose it was. */
  readonly approvedBy: Person | undefined;
  readonly approvedAs: Side | null;
  /** Undefined while the request is pending, and when it has expired. */
  readonly decidedBy: Person | undefined;
  readonly decisionReason: string | null;
  readonly failure: string | null;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly decidedAt: Date | null;
}
