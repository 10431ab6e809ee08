import type { Schemas } from '../../api/api.js';
import { ownHealth } from '../../live/own-health.js';
import { formatCount } from '../../parts/amount.js';
import { Section } from '../../parts/section.js';
import { Time } from '../../parts/time.js';
import {
  bad,
  badIfAny,
  good,
  JudgedFigure,
  type Judgement,
  judgeOverdue,
  judgeStuck,
  listed,
  useJudged,
  warn,
} from './judgement.js';
import { StuckSettlements } from './stuck-settlements.js';

type AccountHealth = Schemas['AccountHealth'];
type Verdict = Schemas['AuditVerdict'];

const judgeDatabase = (database: AccountHealth['database']): Judgement =>
  database === 'up' ? good('ready') : bad('not ready');

const judgeWebhooks = ({ length }: readonly unknown[]): Judgement =>
  badIfAny(length, 'none fails', length === 1 ? 'fails' : 'fail');

const judgeNights = (missed: number): Judgement => (missed === 0 ? good('in time') : bad('missed'));

function judgeBackgroundWork({ redis, background_work: work }: AccountHealth): Judgement | 'unknown' {
  if (work === 'unknown') return work;
  if (work === 'none') return bad('no worker runs');
  return redis === 'up' ? good('runs') : bad('waits for Redis');
}

function judgeAudit(audit: Verdict | null): Judgement {
  if (audit === null) return warn('has not run yet');
  return audit.verdict === 'balanced' ? good('balanced') : bad(`${formatCount(audit.failed_checks)} checks differ`);
}

const BY: Record<Verdict['audited_by'], string> = { night: 'at night', command: 'by command' };

function FailingWebhooks({ webhooks }: { readonly webhooks: readonly Schemas['FailingWebhook'][] }) {
  return (
    <>
      {webhooks.map(({ id, url, state, failing_since }) => (
        <p class="aside" key={id}>
          <a href={`/webhooks/${id}`}>{url}</a>: {state}
          {failing_since !== null && (
            <>
              {' '}
              since <Time at={failing_since} />
            </>
          )}
        </p>
      ))}
    </>
  );
}

/** Whether the service works for this account, and what the last audit found. */
export function Health() {
  const health = ownHealth.value;
  const { body, by } = useJudged(health);
  const audit = body === undefined || body.last_audit === 'unknown' ? null : body.last_audit;
  return (
    <Section title="Health" of={health}>
      <dl class="figures">
        <JudgedFigure name="Service" is={by(({ database }) => database, judgeDatabase)} />
        <JudgedFigure name="Background work" is={by(judgeBackgroundWork, (judgement) => judgement)} />
        <JudgedFigure name="Settlements" is={by(({ stuck_settlements }) => stuck_settlements, judgeStuck)}>
          <StuckSettlements stuck={listed(body?.stuck_settlements)} />
        </JudgedFigure>
        <JudgedFigure name="Webhooks" is={by(({ failing_webhooks }) => failing_webhooks, judgeWebhooks)}>
          <FailingWebhooks webhooks={listed(body?.failing_webhooks)} />
        </JudgedFigure>
        <JudgedFigure name="Waiting work" is={by(({ overdue_work }) => overdue_work, judgeOverdue)} />
        <JudgedFigure name="Nightly audit" is={by(({ late_audits }) => late_audits, judgeNights)}>
          {Number(body?.late_audits) > 0 && (
            <p class="aside">
              <a href="/reconciliation">Days</a>
            </p>
          )}
        </JudgedFigure>
        <JudgedFigure name="Last audit" is={by(({ last_audit }) => last_audit, judgeAudit)}>
          {audit !== null && (
            <p class="aside">
              <Time at={audit.audited_at} />, {BY[audit.audited_by]}
            </p>
          )}
        </JudgedFigure>
      </dl>
    </Section>
  );
}
