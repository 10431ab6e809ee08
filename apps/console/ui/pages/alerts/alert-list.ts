import type { OwnHealth } from '../../live/own-health.js';
import { formatAmount, formatCount, formatCountOf } from '../../parts/amount.js';

/** Something that a person must look at, and where. */
export interface Alert {
  /** The same as long as it lasts. */
  readonly key: string;
  /** Of the health of the account: what says that it is so. */
  readonly part: HealthPart;
  readonly text: string;
  readonly href: string;
  readonly since?: string | null;
}

type HealthPart = keyof OwnHealth;
type Listed<Name extends keyof OwnHealth> = Extract<OwnHealth[Name], readonly unknown[]>[number];

const alert = (part: HealthPart, key: string, text: string, href: string): Alert => ({ part, key, text, href });

const stuck = ({ wager_id, wager_reference, settling_since, moved_at }: Listed<'stuck_settlements'>): Alert => ({
  part: 'stuck_settlements',
  key: `stuck ${wager_id}`,
  text: `The settlement of ${wager_reference} is stuck`,
  href: `/wagers/${encodeURIComponent(wager_reference)}`,
  since: moved_at ?? settling_since,
});

const webhook = ({ id, url, state, failing_since }: Listed<'failing_webhooks'>): Alert => ({
  part: 'failing_webhooks',
  key: `webhook ${id} ${state}`,
  text: state === 'failing' ? `The webhook ${url} fails` : `The webhook ${url} failed and is disabled`,
  href: `/webhooks/${id}`,
  since: failing_since,
});

const pathOfUser = (reference: string) => `/users/${encodeURIComponent(reference)}`;

const belowZero = ({ user_id, user_reference, available }: Listed<'users_below_zero'>): Alert =>
  alert(
    'users_below_zero',
    `below ${user_id}`,
    `${user_reference} is over the limit: ${formatAmount(available)} available`,
    pathOfUser(user_reference),
  );

const disputed = ({ user_id, user_reference }: Listed<'disputed_balances'>): Alert =>
  alert(
    'disputed_balances',
    `disputed ${user_id}`,
    `The balance of ${user_reference} is disputed`,
    pathOfUser(user_reference),
  );

const audit = ({ last_audit }: OwnHealth): readonly Alert[] =>
  last_audit === 'unknown' || last_audit === null || last_audit.verdict === 'balanced'
    ? []
    : [
        alert(
          'last_audit',
          `audit ${last_audit.audited_at}`,
          `The last audit differs in ${formatCountOf(last_audit.failed_checks, 'check')}`,
          '/reconciliation',
        ),
      ];

type Figure = 'dead_workers' | 'overdue_work' | 'late_audits' | 'pending_approvals';

/** One alert when a figure is known and not 0. */
function counted(health: OwnHealth, part: Figure, textOf: (count: string) => string, href: string): readonly Alert[] {
  const count = health[part];
  return typeof count === 'number' && count > 0 ? [alert(part, part, textOf(formatCount(count)), href)] : [];
}

const each = <Item>(items: readonly Item[] | 'unknown', alertOf: (item: Item) => Alert): readonly Alert[] =>
  items === 'unknown' ? [] : items.map(alertOf);

const OVERVIEW = '/';

const ofService = (health: OwnHealth): readonly Alert[] => [
  ...(health.database === 'down' ? [alert('database', 'database', 'The service is not ready', OVERVIEW)] : []),
  ...(health.redis === 'down'
    ? [alert('redis', 'redis', 'Redis is away: mails and background work wait', OVERVIEW)]
    : []),
  ...(health.background_work === 'none'
    ? [alert('background_work', 'worker', 'No worker runs: settlements, mails and webhooks wait', OVERVIEW)]
    : counted(health, 'dead_workers', (count) => `${count} of the workers died`, OVERVIEW)),
  ...counted(health, 'overdue_work', (count) => `${count} of the account's jobs overdue`, OVERVIEW),
];

/** What is wrong, the most urgent first. */
export const alertsOf = (health: OwnHealth): readonly Alert[] => [
  ...each(health.stuck_settlements, stuck),
  ...ofService(health),
  ...each(health.disputed_balances, disputed),
  ...each(health.users_below_zero, belowZero),
  ...audit(health),
  ...counted(health, 'late_audits', () => 'A nightly audit was missed', '/reconciliation'),
  ...each(health.failing_webhooks, webhook),
  ...counted(
    health,
    'pending_approvals',
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
export const unknownParts = (health: OwnHealth): readonly HealthPart[] =>
  (Object.keys(PARTS) as HealthPart[]).filter((part) => health[part] === 'unknown');

export const unknownIn = (health: OwnHealth): readonly string[] =>
  unknownParts(health).map((part) => PARTS[part] ?? part);

/** The keys of alerts that a person has seen, each with its part. */
export type SeenAlerts = ReadonlyMap<string, HealthPart>;

/** What is seen after an answer. Of a part that is not known now, what was seen before: it may go on. */
export function seenAfter(
  seen: SeenAlerts | undefined,
  found: readonly Alert[],
  unknown: readonly HealthPart[],
): SeenAlerts {
  const kept = [...(seen ?? [])].filter(([, part]) => unknown.includes(part));
  return new Map([...kept, ...found.map(({ key, part }) => [key, part] as const)]);
}
