import type { Schemas } from '../../api/api.js';
import { useResource } from '../../api/resource.js';
import { HEALTH_POLL_MS } from '../../live/own-health.js';
import { formatCount } from '../../parts/amount.js';
import { usePoll } from '../../parts/poll.js';
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

type Worker = Schemas['Worker'];

const MOST_SILENT = 5;

const isSilent = ({ state }: Worker): boolean => state === 'dead';

function judgeWorkers(workers: readonly Worker[]): Judgement {
  const silent = workers.filter(isSilent).length;
  const alive = workers.length - silent;
  if (alive === 0) return bad('none runs');
  const running = `${formatCount(alive)} ${alive === 1 ? 'runs' : 'run'}`;
  return silent === 0 ? good(running) : warn(`${running}, ${formatCount(silent)} silent`);
}

/** What it did at its last heartbeat. */
function SilentWorker({ worker: { beat_at, jobs } }: { readonly worker: Worker }) {
  const [job] = jobs;
  return (
    <p class="aside">
      No heartbeat since <Time at={beat_at} />
      {job !== undefined && `, at ${job.name}`}
      {job?.account_id !== undefined && ` of account ${job.account_id}`}
    </p>
  );
}

/** For admins: what runs behind the requests of all accounts. */
export function AllHealth() {
  const health = useResource(async ({ get }) => (await get('/admin/health')).data, []);
  usePoll(true, health.reload, HEALTH_POLL_MS);
  const { body, by } = useJudged(health);
  const silent = listed(body?.workers).filter(isSilent).slice(0, MOST_SILENT);
  return (
    <Section title="Health of all accounts" of={health}>
      <dl class="figures">
        <JudgedFigure name="Workers" is={by(({ workers }) => workers, judgeWorkers)}>
          {silent.map((worker) => (
            <SilentWorker key={worker.id} worker={worker} />
          ))}
        </JudgedFigure>
        <JudgedFigure name="Settlements" is={by(({ stuck }) => stuck, judgeStuck)}>
          <StuckSettlements stuck={listed(body?.stuck)} isOfAll />
        </JudgedFigure>
        <JudgedFigure
          name="Webhooks"
          is={by(
            ({ failing_webhooks }) => failing_webhooks,
            (count) => (count === 0 ? good('none fails') : warn(`${formatCount(count)} fail`)),
          )}
        />
        <JudgedFigure name="Waiting work" is={by(({ overdue_work }) => overdue_work, judgeOverdue)}>
          {Number(body?.overdue_work) > 0 && (
            <p class="aside">
              <a href="/queues" target="_top">
                Queues
              </a>
            </p>
          )}
        </JudgedFigure>
        <JudgedFigure
          name="Nightly audits"
          is={by(
            ({ late_audits }) => late_audits,
            (count) => badIfAny(count, 'in time', count === 1 ? 'account missed' : 'accounts missed'),
          )}
        />
      </dl>
    </Section>
  );
}
