import { MoreOffers } from './needs.js';
import type { User } from './records.js';
import { Rejection } from './rejection.js';

/** A user took something on (or money came in): judged when the attempt ends, with all that the attempt changed. */
export interface Commitment {
  readonly user: User;
  /** What to answer when the user cannot afford it; null: never refused for lack of money. */
  readonly unfunded: 'offer-unfunded' | 'acceptance-unfunded' | 'withdrawal-unfunded' | null;
}

/** What an operation decides when it is not refused: its changes are in the Book already. */
export interface Decided<Answer> {
  readonly answer: Answer;
  readonly commitment: Commitment | null;
}

export type Decision<Answer> = Decided<Answer> | Rejection | MoreOffers;

/** Not done: the Book is as it was. */
export type Failure = Rejection | MoreOffers;

export const isFailure = (result: unknown): result is Failure =>
  result instanceof Rejection || result instanceof MoreOffers;
