import type { OwnHealth } from '../../live/own-health.js';
import { formatAmount, formatCount, formatCountOf } from '../../parts/amount.js';

/** Something that a person must look at, and where. */
export interface Alert {
  /** The same as long as it lasts. */
  readonly key: string;
  readonly text: string;
  readonly href: string;
  readonly since?: string | null;
}

type Listed<Name extends keyof OwnHealth> = Extract<OwnHealth[Name], readonly unknown[]>[number];

const alert = (key: string, text: string, href: string): Alert => ({ key, text, href });

const stuck = ({ wager_id, wager_reference, settling_since, moved_at }: Listed<'stuck_settlements'>): Alert => ({
  key: `stuck ${wager_id}`,
  text: `The settlement of ${wager_reference} is stuck`,
  href: `/wagers/${encodeURIComponent(wager_reference)}`,
  since: moved_at ?? settling_since,
});

const webhook = ({ id, url, state, failing_since }: Listed<'failing_webhooks'>): Alert => ({
  key: `webhook ${id} ${state}`,
  text: state === 'failing' ? `The webhook ${url} fails` : `The webhook ${url} failed and is disabled`,
  href: `/webhooks/${id}`,
  since: failing_since,
});

const pathOfUser = (reference: string) => `/users/${encodeURIComponent(reference)}`;

const belowZero = ({ user_id, user_reference, available }: Listed<'users_below_zero'>): Alert =>
  alert(
    `below ${user_id}`,
    `${user_reference} is over the limit: ${formatAmount(available)} available`,
    pathOfUser(user_reference),
  );

const disputed = ({ user_id, user_reference }: Listed<'disputed_balances'>): Alert =>
  alert(`disputed ${user_id}`, `The balance of ${user_reference} is disputed`, pathOfUser(user_reference));

const audit = ({ last_audit }: OwnHealth): readonly Alert[] =>
  last_audit === 'unknown' || last_audit === null || last_audit.verdict === 'balanced'
    ? []
    : [
        alert(
          `audit ${last_audit.audited_at}`,
          `The last audit differs in ${formatCountOf(last_audit.failed_checks, 'check')}`,
          '/reconciliation',
        ),
      ];

/** One alert when a figure is known and not 0. */
const counted = (key: string, count: number | 'unknown' | null, textOf: (count: string) => string, href: string) =>
  typeof count === 'number' && count > 0 ? [alert(key, textOf(formatCount(count)), href)] : [];

const each = <Item>(items: readonly Item[] | 'unknown', alertOf: (item: Item) => Alert): readonly Alert[] =>
  items === 'unknown' ? [] : items.map(alertOf);

const OVERVIEW = '/';

const ofService = (health: OwnHealth): readonly Alert[] => [
  ...(health.database === 'down' ? [alert('database', 'The service is not ready', OVERVIEW)] : []),
  ...(health.redis === 'down' ? [alert('redis', 'Redis is away: mails and background work wait', OVERVIEW)] : []),
  ...(health.background_work === 'none'
    ? [alert('worker', 'No worker runs: settlements, mails and webhooks wait', OVERVIEW)]
    : counted('dead', health.dead_workers, (count) => `${count} of the workers died`, OVERVIEW)),
  ...counted('overdue', health.overdue_work, (count) => `${count} of the account's jobs overdue`, OVERVIEW),
];

/** What is wrong, the most urgent first. */
export const alertsOf = (health: OwnHealth): readonly Alert[] => [
  ...each(health.stuck_settlements, stuck),
  ...ofService(health),
  ...each(health.disputed_balances, disputed),
  ...each(health.users_below_zero, belowZero),
  ...audit(health),
  ...counted('late', health.late_audits, () => 'A nightly audit was missed', '/reconciliation'),
  ...each(health.failing_webhooks, webhook),
  ...counted(
    'approvals',
    health.pending_approvals,
    (count) => (count === '1' ? '1 request waits for approval' : `${count} requests wait for approval`),
    '/approvals',
  ),
];

const PARTS: Readonly<Partial<Record<keyof OwnHealth, string>>> = {
  background_work: 'background work',
  stuck_settlements: 'settlements',
  failing_webhooks: 'webhooks',
  late_audits: 'nightly audits',
  overdue_work: 'waiting work',
  last_audit: 'the last audit',
  disputed_balances: 'disputes',
  users_below_zero: 'limits of users',
  pending_approvals: 'approvals',
  dead_workers: 'workers',
};

/** Of what nothing is known: it may be bad. */
export const unknownIn = (health: OwnHealth): readonly string[] =>
  Object.entries(PARTS).flatMap(([part, name]) => (health[part as keyof OwnHealth] === 'unknown' ? [name] : []));
