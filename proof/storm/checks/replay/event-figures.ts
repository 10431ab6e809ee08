import type { EventKind } from '#core/records.js';
import type { LoggedOperation } from './stored-log.js';

export interface StoredAccount {
  readonly id: number;
  readonly name: string;
}

export const ACCOUNTS = `SELECT id::int, split_part(email, '@', 1) AS name FROM accounts ORDER BY id`;

/** The figures of events, by what coverage calls them. */
const names: Partial<Record<EventKind, readonly [string]>> = {
  'user.created': ['users created'],
  'transaction.created': ['payments'],
  'offer.made': ['offers made'],
  'offer.matched': ['offers accepted'],
  'offer.canceled': ['offers canceled'],
  'wager.corrected': ['wagers corrected by the admin'],
  'wager.suspended': ['wagers suspended'],
  'wager.resumed': ['wagers resumed'],
  'wager.closed': ['wagers closed'],
  'wager.changed': ['wagers scheduled'],
  'change_request.created': ['change requests made'],
  'change_request.executed': ['change requests executed'],
};

const CORRECTIONS: readonly EventKind[] = ['bet.overridden', 'bet.activated', 'bet.deactivated'];
const BY_ACTOR = ['outcomes overridden', 'bets corrected by the admin'];
const byWorkers: Partial<Record<EventKind, readonly [string]>> = {
  'wager.settled': ['wagers settled by workers'],
  'wager.closed': ['wagers closed by their time'],
  'offer.canceled': ['offers canceled by workers'],
};
const TIMED_OUT = 'offers expired by their time';

/** Those that every storm has. */
export const EVENT_FIGURES: readonly string[] = [
  ...Object.values(names).flat(),
  ...BY_ACTOR,
  ...Object.values(byWorkers).flat(),
  TIMED_OUT,
];

/** The role is that of the account. */
export const figuresIn = ({ by, events }: LoggedOperation, role = 'fresh'): string[] =>
  events.flatMap(({ kind, extra }) => [
    ...(names[kind] ?? []),
    ...(kind === 'wager.decided' ? [`${role} wagers decided`] : []),
    ...(kind === 'bet.overridden' && by === 'business' ? ['outcomes overridden', `${role} overrides`] : []),
    ...(by === 'admin' && CORRECTIONS.includes(kind) ? ['bets corrected by the admin'] : []),
    ...(by === 'worker' ? (byWorkers[kind] ?? []) : []),
    ...(kind === 'offer.expired' && extra.reason === 'time' ? [TIMED_OUT] : []),
  ]);
