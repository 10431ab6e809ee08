/* The domain's values, with the same names in code, API and database. */

export const outcomes = ['undecided', 'win', 'loss', 'push', 'half-win', 'half-loss', 'void'] as const;
export type Outcome = (typeof outcomes)[number];
export type DecidedOutcome = Exclude<Outcome, 'undecided'>;

export const offerStatuses = ['requesting', 'accepted', 'expired', 'canceled'] as const;
export type OfferStatus = (typeof offerStatuses)[number];

export const transactionTypes = ['credit', 'debit', 'no-action'] as const;
export type TransactionType = (typeof transactionTypes)[number];

export const transactionSources = ['funding', 'bet', 'withdrawal', 'correction'] as const;
export type TransactionSource = (typeof transactionSources)[number];

export const isDecided = (outcome: Outcome | null): outcome is DecidedOutcome =>
  outcome !== null && outcome !== 'undecided';

/** The outcome that a bet is settled by: its override when it has one (even `undecided`), else its wager's outcome. */
export const effectiveOutcome = (overrideOutcome: Outcome | null, wagerOutcome: Outcome): Outcome =>
  overrideOutcome ?? wagerOutcome;
