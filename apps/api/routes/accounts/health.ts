import { z } from 'zod';
import { numberFromMicros } from '#core/money.js';
import {
  type DisputedUser,
  type FailingWebhook,
  MOST_STUCK,
  MOST_USERS,
  type StuckSettlement,
  type UserBelowZero,
} from '#reads/service-health.js';
import { endpoint } from '../../endpoint.js';
import { count, dataWith, decimal, id, moment, text } from '../../fields/answers.js';
import { outcome } from '../../fields/enums.js';
import { backgroundWork, known, orUnknown, presentBackgroundWork } from '../../fields/health.js';
import { accountId } from '../../fields/lists.js';
import { visibleAccount } from '../../guards/visible-accounts.js';
import { auditVerdict, presentVerdict, verdictExample } from '../reconciliation/verdict.js';

const upOrDown = z.enum(['up', 'down']);

const stuckExample = {
  account_id: 7,
  wager_id: 3,
  wager_reference: 'home-win',
  outcome: 'win',
  settling_since: '2026-01-15T18:36:00.000Z',
  moved_at: null,
};

export const stuckSettlement = z
  .strictObject({
    account_id: id('The account.'),
    wager_id: id('The wager.'),
    wager_reference: text('The wager, as the business calls it.'),
    outcome,
    settling_since: moment('Since when bets wait.'),
    moved_at: moment('When the worker moved bets last, up to ten seconds behind; null: none since then.').nullable(),
  })
  .meta({
    id: 'StuckSettlement',
    description:
      'A settlement whose bets have not moved for a minute while its work failed or no settlement of its account moved, or for 15 minutes.',
    examples: [stuckExample],
  });

export const presentStuck = (stuck: StuckSettlement): z.output<typeof stuckSettlement> => ({
  account_id: Number(stuck.accountId),
  wager_id: Number(stuck.id),
  wager_reference: stuck.reference,
  outcome: stuck.outcome,
  settling_since: stuck.settlingSince,
  moved_at: stuck.movedAt,
});

const failingWebhook = z
  .strictObject({
    id: id('Its id.'),
    url: text('Where requests go.'),
    state: z.enum(['failing', 'disabled']),
    failing_since: moment('Since when what has failed waits for its next try; null: nothing waits.').nullable(),
  })
  .meta({
    id: 'FailingWebhook',
    examples: [
      { id: 1, url: 'https://example.com/ledger', state: 'failing', failing_since: '2026-01-15T18:36:00.000Z' },
    ],
  });

const presentWebhook = ({ failingSince, ...webhook }: FailingWebhook): z.output<typeof failingWebhook> => ({
  id: Number(webhook.id),
  url: webhook.url,
  state: webhook.state,
  failing_since: failingSince,
});

const user = { user_id: id('The user.'), user_reference: text('The user, as the business calls it.') };

const disputedBalance = z
  .strictObject(user)
  .meta({ id: 'DisputedBalance', examples: [{ user_id: 12, user_reference: 'ann' }] });

const userBelowZero = z
  .strictObject({ ...user, available: decimal('Balance minus exposure, below zero.') })
  .meta({ id: 'UserBelowZero', examples: [{ user_id: 12, user_reference: 'ann', available: -12.5 }] });

const presentUser = ({ id, reference }: DisputedUser): z.output<typeof disputedBalance> => ({
  user_id: Number(id),
  user_reference: reference,
});

const presentBelowZero = (found: UserBelowZero): z.output<typeof userBelowZero> => ({
  ...presentUser(found),
  available: numberFromMicros(found.available),
});

const health = z
  .strictObject({
    database: upOrDown.meta({ description: 'Without it, the service cannot work.' }),
    redis: upOrDown.meta({ description: 'Without it, mails and background work wait.' }),
    background_work: backgroundWork,
    stuck_settlements: orUnknown(z.array(stuckSettlement)).meta({
      description: `At most ${MOST_STUCK}, the longest waiting first.`,
    }),
    failing_webhooks: orUnknown(z.array(failingWebhook)).meta({
      description: 'Also those that are disabled because they failed.',
    }),
    late_audits: orUnknown(count('1: no night has confirmed the account for a day and a half.')),
    overdue_work: orUnknown(
      count('Work of the account that has waited for five minutes, exports and previews for an hour; up to 1000.'),
    ),
    last_audit: orUnknown(auditVerdict.nullable()).meta({
      description: 'The newest verdict on the account; null: there is none.',
    }),
    disputed_balances: orUnknown(z.array(disputedBalance)).meta({
      description: `Users whose balance differs from their bets and transactions: at most ${MOST_USERS}, the longest disputed first.`,
    }),
    users_below_zero: orUnknown(z.array(userBelowZero)).meta({
      description: `Users who may not go below zero and whose open bets can cost more than they have: at most ${MOST_USERS}, the lowest first. An answer is shared for 30 seconds.`,
    }),
    pending_approvals: orUnknown(count('Change requests that wait for approval; up to 1000.')),
    dead_workers: orUnknown(count('For admins: workers without a heartbeat that did not stop.')).nullable().meta({
      description: 'Null: for a business.',
    }),
  })
  .meta({
    id: 'AccountHealth',
    description: 'What is not known says `unknown`.',
    examples: [
      {
        database: 'up',
        redis: 'up',
        background_work: 'alive',
        stuck_settlements: [],
        failing_webhooks: [],
        late_audits: 0,
        overdue_work: 0,
        last_audit: verdictExample,
        disputed_balances: [],
        users_below_zero: [],
        pending_approvals: 0,
        dead_workers: null,
      },
    ],
  });

const RETRIEVED = 'Health retrieved';

export const accountHealth = endpoint({
  method: 'get',
  path: '/account/health',
  tag: 'Accounts',
  summary: 'Whether the service works for the account that is calling',
  description:
    'It answers within seconds, also while the database does not. An answer is shared for 3 seconds, and is the last one for 30 while no newer one comes.',
  access: 'account',
  query: z.object({ account_id: accountId }),
  answer: dataWith(health, RETRIEVED),
  async handle({ query, caller }, { health: ofProcess }) {
    const account = visibleAccount(caller, query.account_id);
    const [isReady, service, own, belowZero] = await Promise.all([
      ofProcess.isReady(),
      ofProcess.ofService.soon(),
      ofProcess.ofAccount(account).soon(),
      ofProcess.usersBelowZero(account).soon(),
    ]);
    return {
      data: {
        database: isReady ? ('up' as const) : ('down' as const),
        redis: ofProcess.isRedisReady() ? ('up' as const) : ('down' as const),
        background_work: presentBackgroundWork(service),
        stuck_settlements: known(own?.stuckSettlements.map(presentStuck)),
        failing_webhooks: known(own?.failingWebhooks.map(presentWebhook)),
        late_audits: known(own?.lateAudits),
        overdue_work: known(own?.overdueWork),
        last_audit:
          own === undefined ? ('unknown' as const) : own.lastAudit === undefined ? null : presentVerdict(own.lastAudit),
        disputed_balances: known(own?.disputedBalances.map(presentUser)),
        users_below_zero: known(belowZero?.map(presentBelowZero)),
        pending_approvals: known(own?.pendingApprovals),
        dead_workers: caller.account.role === 'admin' ? known(service?.workers.dead) : null,
      },
      message: RETRIEVED,
    };
  },
});
