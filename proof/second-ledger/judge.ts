import type { Commitment } from './draft.js';
import type { Facts } from './facts.js';
import { LARGEST_FIGURE, sizeOf } from './figures.js';
import type { Picture } from './picture.js';
import { beyondLedger, type Refusal } from './refusals.js';

/** The ledger before a task, and as the task would leave it. */
export interface ProposedChange {
  readonly facts: Facts;
  readonly before: Picture;
  readonly after: Picture;
}

/** A user who commits money must not end below zero and lower than before, unless it may go negative. */
export const judgeFunds = (
  { facts, before, after }: ProposedChange,
  { userId, refusal }: Commitment,
): Refusal | null => {
  const own = facts.users.find(({ id }) => id === userId)?.allowNegativeBalance ?? null;
  if (own ?? facts.allowNegativeBalance) return null;
  const end = effectiveBalanceOf(after, userId);
  return end < 0n && end < effectiveBalanceOf(before, userId) ? refusal : null;
};

const effectiveBalanceOf = ({ users }: Picture, userId: bigint): bigint => {
  const user = users.find(({ id }) => id === userId);
  return user === undefined ? 0n : user.balance - user.exposure;
};

/** No figure may pass the largest; one that a settlement took beyond it must not grow. */
export const judgeFigures = ({ before, after }: ProposedChange): Refusal | null => {
  const figuresBefore = figuresOf(before);
  const isGrown = ([name, size]: [string, bigint]) => size > LARGEST_FIGURE && size > (figuresBefore.get(name) ?? 0n);
  return [...figuresOf(after)].some(isGrown) ? beyondLedger() : null;
};

const figuresOf = ({ users, positions }: Picture): Map<string, bigint> =>
  new Map([
    ...users.flatMap(({ id, balance, exposure }): [string, bigint][] => [
      [`balance of ${id}`, sizeOf(balance)],
      [`exposure of ${id}`, sizeOf(exposure)],
    ]),
    ...positions.flatMap(({ userId, wagerId, win, loss, offered }): [string, bigint][] => [
      [`win of ${userId} in ${wagerId}`, sizeOf(win)],
      [`loss of ${userId} in ${wagerId}`, sizeOf(loss)],
      [`offered of ${userId} in ${wagerId}`, sizeOf(offered)],
    ]),
  ]);
