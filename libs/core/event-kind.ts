/* What an entry of an account's event log is about. */

/** The log stores these numbers: a number never gets another meaning. */
export const eventKinds = {
  'log.opened': 0,
  'user.created': 1,
  'user.updated': 2,
  'transaction.created': 3,
  'offer.made': 4,
  'offer.matched': 5,
  'offer.canceled': 6,
  'offer.expired': 7,
  'offer.reopened': 8,
  'bet.settled': 9,
  'bet.unsettled': 10,
  'bet.overridden': 11,
  'bet.activated': 12,
  'bet.deactivated': 13,
  'wager.created': 14,
  'wager.decided': 15,
  'wager.corrected': 16,
  'wager.settled': 17,
  'wager.canceling': 18,
  'account.updated': 19,
  'operator.repaired': 20,
  'webhook.created': 21,
  'webhook.updated': 22,
  'webhook.disabled': 23,
  'webhook.deleted': 24,
  'user.disputed': 25,
  'user.undisputed': 26,
} as const;

export type EventKind = keyof typeof eventKinds;

/** Of one step of a bet: its event names the step's trail entry. */
export type StepKind = Extract<EventKind, `offer.${string}` | `bet.${string}`>;

/** What an admin or a business does to a bet itself; all other kinds follow from the bet's state. */
export type CorrectionKind = 'bet.overridden' | 'bet.activated' | 'bet.deactivated';

export type WagerKind = Extract<EventKind, `wager.${string}`>;

/** The numbers of all kinds whose event names a trail entry stand in this range. */
export const stepKinds = { first: eventKinds['offer.made'], last: eventKinds['bet.deactivated'] } as const;
