import type { Micros } from '#core/money.js';
import type { Operation, OperationOf } from '#core/operation.js';
import type { AdminAction } from '#core/records.js';
import type { SummedUser } from './user-sums.js';

export type PreviewState = 'running' | 'done' | 'failed';

type PreviewedType =
  | 'update_wager_outcome'
  | 'override_bet_outcome'
  | 'force_wager_outcome'
  | 'force_bet_override'
  | 'set_bet_active';

/** An operation that moves bets, without its bound, and without who does it and why. */
export type SingleOperation = {
  [Type in PreviewedType]: Omit<OperationOf<Type>, 'bound' | 'pendingBefore' | 'action'>;
}[PreviewedType];

/** Decisions of several wagers, all or none. */
interface Decisions {
  readonly type: 'update_wager_outcomes';
  readonly decisions: readonly Pick<OperationOf<'update_wager_outcome'>, 'reference' | 'outcome'>[];
}

export type PreviewedOperation = SingleOperation | Decisions;

export const singlesOf = (operation: PreviewedOperation): readonly SingleOperation[] =>
  operation.type === 'update_wager_outcomes'
    ? operation.decisions.map((decision) => ({ type: 'update_wager_outcome', ...decision }))
    : [operation];

/** Its name stands in trails alone, and a preview writes none. */
const NOBODY: AdminAction = { adminId: 0n, adminEmail: '', description: null };
/** The core adds one to it. */
const ALL_BETS = Number.MAX_SAFE_INTEGER - 1;

/** As the core takes it: all bets move at once. */
export const wholeOperation = (operation: SingleOperation): Operation =>
  ({ ...operation, bound: ALL_BETS, action: NOBODY }) as Operation;

/** How many bets and offers change their state. */
export interface PreviewedBets {
  readonly settled: number;
  readonly unsettled: number;
  readonly expiredOffers: number;
  readonly reopenedOffers: number;
  readonly canceledOffers: number;
}

export interface PreviewFigures {
  /** The moment of all figures. */
  readonly asOf: Date;
  /** Nothing but another decision or correction of the wager can change the figures. */
  readonly isExact: boolean;
  /** Of the wager, of several the sum; 0: there is no such wager. */
  readonly revision: number;
  /** Why the operation would be refused; null: it would not. */
  readonly refusal: string | null;
  readonly bets: PreviewedBets;
  /** What all users get together, and what all pay together: each bet moves the same to one as from the other. */
  readonly moved: Micros;
  readonly usersAffected: number;
  readonly usersBelowZero: number;
}

/** A user whose balance or exposure the operation changes. */
export interface PreviewedUser extends SummedUser {
  readonly reference: string;
}

/** How many of its users a preview shows itself. */
export const LARGEST_USERS = 20;

export interface PreviewKey {
  /** Who asked. */
  readonly accountId: bigint;
  readonly id: bigint;
}

/** What an operation would move if it were done at a moment. */
export interface Preview extends PreviewKey {
  readonly state: PreviewState;
  /** In percent. */
  readonly progress: number;
  /** Undefined until it is done. */
  readonly figures: PreviewFigures | undefined;
  /** Those below zero first, then those whose balance moves most. Empty until it is done. */
  readonly largest: readonly PreviewedUser[];
  readonly failure: string | null;
}

export interface PreviewRequest {
  readonly accountId: bigint;
  /** Whose ledger it is about. */
  readonly ledgerAccountId: bigint;
  readonly operation: PreviewedOperation;
}
