import { processNames, workerNames } from '../stage/stage.js';
import type { FaultKind } from './fault.js';

const AWAY = [0, 2_000] as const;

export const serviceFaults: readonly FaultKind[] = [
  postgresFault('PostgreSQL killed', 'SIGKILL'),
  // "Immediate shutdown": it throws everybody out, writes nothing down, and recovers from its log at the next start.
  postgresFault('PostgreSQL stopped at once', 'SIGQUIT'),
  {
    name: 'Redis killed, and back empty',
    targets: ['Redis'],
    lasts: AWAY,
    // The API goes on without it.
    concerns: () => workerNames,
    strike: ({ stage, lastsMs: awayMs, stopping }) =>
      stage.redis.restart({ cause: 'Redis killed, and back empty', signal: 'SIGKILL', awayMs, stopping }),
  },
  {
    name: 'Redis emptied',
    targets: ['Redis'],
    lasts: [0, 0],
    concerns: () => workerNames,
    strike: ({ stage }) => stage.redisAccess.empty(),
  },
];

function postgresFault(name: string, signal: NodeJS.Signals): FaultKind {
  return {
    name,
    targets: ['PostgreSQL'],
    lasts: AWAY,
    concerns: () => processNames,
    strike: ({ stage, lastsMs: awayMs, stopping }) => stage.postgres.restart({ cause: name, signal, awayMs, stopping }),
  };
}
