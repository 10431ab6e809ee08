import { api, type Schemas } from '../../api/api.js';
import { useResource } from '../../api/resource.js';
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

type Worker = Schemas['Worker'];

const MOST_DEAD = 5;

const isDead = ({ state }: Worker): boolean => state === 'dead';

function judgeWorkers(workers: readonly Worker[]): Judgement {
  const dead = workers.filter(isDead).length;
  const alive = workers.length - dead;
  if (alive === 0) return bad('none runs');
  const running = `${formatCount(alive)} ${alive === 1 ? 'runs' : 'run'}`;
  return dead === 0 ? good(running) : warn(`${running}, ${formatCount(dead)} died`);
}

/** What it did at its last heartbeat. */
function DeadWorker({ worker: { beat_at, jobs } }: { readonly worker: Worker }) {
  const [job] = jobs;
  return (
    <p class="aside">
      One died after <Time at={beat_at} />
      {job !== undefined && `, at ${job.name}`}
      {job?.account_id !== undefined && ` of account ${job.account_id}`}
    </p>
  );
}

/** For admins: what runs behind the requests of all accounts. */
export function AllHealth() {
  const health = useResource(async () => (await api.get('/admin/health')).data, []);
  const { body, by } = useJudged(health);
  const dead = listed(body?.workers).filter(isDead).slice(0, MOST_DEAD);
  return (
    <Section title="Health of all accounts" of={health}>
      <dl class="figures">
        <JudgedFigure name="Workers" is={by(({ workers }) => workers, judgeWorkers)}>
          {dead.map((worker) => (
            <DeadWorker key={worker.id} worker={worker} />
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
