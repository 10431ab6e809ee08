import { MoreOffers } from './needs.js';
import type { User } from './records.js';
import { Rejection } from './rejection.js';

/** A user committed money (or received funding). The core judges the user's funds when the attempt ends. */
export interface Commitment {
  readonly user: User;
  /** The refusal when the user cannot afford it; null: never refused for lack of money. */
  readonly unfunded: 'offer-unfunded' | 'acceptance-unfunded' | 'withdrawal-unfunded' | null;
}

/** An operation that was not refused. The Book already holds its changes. */
export interface Decided<Answer> {
  readonly answer: Answer;
  readonly commitment: Commitment | null;
}

export type Decision<Answer> = Decided<Answer> | Rejection;

/** The operation was not executed and the Book is unchanged. */
export type Failure = Rejection | MoreOffers;

export const isFailure = (result: unknown): result is Failure =>
  result instanceof Rejection || result instanceof MoreOffers;
