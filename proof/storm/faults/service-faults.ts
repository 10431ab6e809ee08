import { processNames, workerNames } from '../cluster/cluster.js';
import type { Silence } from '../cluster/proxied-connection.js';
import type { FaultKind } from './fault-kind.js';
import { recoversFromSilenceWithinMs } from './network-faults.js';

const AWAY = [0, 2_000] as const;

export const serviceFaults: readonly FaultKind[] = [
  postgresFault('PostgreSQL killed', 'SIGKILL'),
  // "Immediate shutdown": it drops all connections without a checkpoint, and recovers from its log at the next start.
  postgresFault('PostgreSQL stopped by SIGQUIT', 'SIGQUIT'),
  {
    name: 'Redis killed, and restarted empty',
    targets: ['Redis'],
    lasts: AWAY,
    // The API serves requests without Redis.
    affects: () => workerNames,
    inject: ({ cluster, lastsMs: awayMs, stopping }) =>
      cluster.redis.restart({ cause: 'Redis killed, and restarted empty', signal: 'SIGKILL', awayMs, stopping }),
  },
  {
    name: 'Redis emptied',
    targets: ['Redis'],
    lasts: [0, 0],
    affects: () => workerNames,
    inject: ({ cluster }) => cluster.redisAccess.empty(),
  },
];

/** Measured from the moment when the address has moved. */
export const takeOverFaults: readonly FaultKind[] = [
  takeOverFault('PostgreSQL killed for good, connections broken'),
  takeOverFault('PostgreSQL killed for good, connections silent', 'both directions'),
];

function takeOverFault(name: string, silence?: Silence): FaultKind {
  return {
    name,
    targets: ['PostgreSQL'],
    lasts: [0, 0],
    affects: () => processNames,
    ...(silence !== undefined && { recoversWithinMs: (_target, process) => recoversFromSilenceWithinMs(process) }),
    async inject({ cluster: { postgres } }) {
      if (postgres.takeOver === undefined) throw new Error('PostgreSQL has no standby');
      await postgres.takeOver(silence);
    },
  };
}

function postgresFault(name: string, signal: NodeJS.Signals): FaultKind {
  return {
    name,
    targets: ['PostgreSQL'],
    lasts: AWAY,
    affects: () => processNames,
    inject: ({ cluster, lastsMs: awayMs, stopping }) =>
      cluster.postgres.restart({ cause: name, signal, awayMs, stopping }),
  };
}
