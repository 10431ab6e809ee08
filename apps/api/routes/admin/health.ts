import { z } from 'zod';
import type { KnownWorker } from '#jobs/heartbeats.js';
import { MOST_STUCK } from '#reads/service-health.js';
import { endpoint } from '../../endpoint.js';
import { count, dataWith, id, moment, text } from '../../fields/answers.js';
import { exampleCounts, healthCounts, known, orUnknown, presentCounts } from '../../fields/health.js';
import { MOST_WORKERS } from '../../health.js';
import { presentStuck, stuckSettlement } from '../accounts/health.js';

const workerJob = z.strictObject({
  queue: text('Its queue.'),
  name: text('What it does.'),
  runs_for_ms: count('For how long it ran at the last heartbeat.'),
  account_id: id('The account that it is about.').optional(),
  wager_id: id('The wager that it is about.').optional(),
});

const workerExample = {
  id: '7b0e1f8a-54a1-4d5c-9d5e-3f1f6a1c2b3d',
  state: 'alive',
  started_at: '2026-01-15T18:36:00.000Z',
  beat_at: '2026-01-15T18:40:00.000Z',
  jobs: [{ queue: 'settlement', name: 'settle-wager', runs_for_ms: 120, account_id: 7, wager_id: 3 }],
};

const worker = z
  .strictObject({
    id: text('Its process, until it ends.'),
    state: z.enum(['alive', 'dead']).meta({ description: '`dead`: no heartbeat for 15 seconds, and it did not stop.' }),
    started_at: moment('When it began.'),
    beat_at: moment('Its last heartbeat.'),
    jobs: z.array(workerJob).meta({ description: 'What it ran at its last heartbeat.' }),
  })
  .meta({ id: 'Worker', examples: [workerExample] });

const presentWorker = ({ startedAt, beatAt, isAlive, jobs, id: workerId }: KnownWorker): z.output<typeof worker> => ({
  id: workerId,
  state: isAlive ? 'alive' : 'dead',
  started_at: startedAt,
  beat_at: beatAt,
  jobs: jobs.map(({ queue, name, runsForMs, accountId, wagerId }) => ({
    queue,
    name,
    runs_for_ms: runsForMs,
    ...(accountId !== undefined && { account_id: Number(accountId) }),
    ...(wagerId !== undefined && { wager_id: Number(wagerId) }),
  })),
});

const health = z
  .strictObject({
    ...healthCounts,
    workers: orUnknown(z.array(worker)).meta({ description: `At most ${MOST_WORKERS}, the dead ones first.` }),
    stuck: orUnknown(z.array(stuckSettlement)).meta({
      description: `The stuck settlements of all accounts, at most ${MOST_STUCK}, the longest waiting first. Each of these accounts gets an admin-read event.`,
    }),
  })
  .meta({ id: 'ServiceHealth', examples: [{ ...exampleCounts, workers: [workerExample], stuck: [] }] });

const RETRIEVED = 'Health retrieved';

export const adminHealth = endpoint({
  method: 'get',
  path: '/admin/health',
  tag: 'Administration',
  summary: 'Whether the service works for all accounts',
  description:
    'What is not known says `unknown`. It answers within seconds, also while the database does not. An answer is shared for some seconds, and is the last one for 30 while no newer one comes.',
  access: 'admin',
  answer: dataWith(health, RETRIEVED),
  async handle({ caller, cause }, { health: ofProcess, notedEvents }) {
    const [service, workers, stuck] = await Promise.all([
      ofProcess.ofService.soon(),
      ofProcess.workers.soon(),
      ofProcess.stuckSettlements.soon(),
    ]);
    const others = new Set((stuck ?? []).map(({ accountId }) => accountId));
    others.delete(caller.account.accountId);
    for (const accountId of others) {
      notedEvents.note({ accountId, type: 'admin-read', after: { route: 'GET /admin/health' }, cause });
    }
    return {
      data: {
        ...presentCounts(service),
        workers: known(workers?.map(presentWorker)),
        stuck: known(stuck?.map(presentStuck)),
      },
      message: RETRIEVED,
    };
  },
});
