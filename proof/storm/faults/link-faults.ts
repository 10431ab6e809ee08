import { setTimeout as delay } from 'node:timers/promises';
import type { Link } from '../stage/link.js';
import { apiNames, type ProcessName, processNames, type Stage } from '../stage/stage.js';
import type { FaultKind, Strike } from './fault.js';

/** A way from one process, or to it; all others stay as they are. */
interface Way {
  readonly name: string;
  readonly targets: readonly [ProcessName, ...ProcessName[]];
  readonly linkOf: (stage: Stage, name: ProcessName) => Link | undefined;
}

const ways: readonly Way[] = [
  { name: 'clients to an API', targets: apiNames, linkOf: ({ apiLinks }, name) => apiLinks.get(name) },
  {
    name: 'a process to PostgreSQL',
    targets: processNames,
    linkOf: ({ processes }, name) => processes[name].links.PostgreSQL,
  },
  { name: 'a process to Redis', targets: processNames, linkOf: ({ processes }, name) => processes[name].links.Redis },
];

const CUT_SHARES = [0.3, 0.6, 1] as const;

type Act = (link: Link, strike: Strike) => Promise<void>;

const cut: Act = async (link, { lastsMs, chance, stopping }) => {
  link.markForCut({ share: chance.pick(CUT_SHARES), chance });
  await delay(lastsMs, undefined, { signal: stopping });
  link.cutMarked();
};

const refuse: Act = async (link, { lastsMs, stopping }) => {
  link.refuse();
  await delay(lastsMs, undefined, { signal: stopping });
  link.accept();
};

const hold: Act = async (link, { lastsMs, stopping }) => {
  link.hold();
  await delay(lastsMs, undefined, { signal: stopping });
  link.release();
};

export const linkFaults: readonly FaultKind[] = ways.flatMap((way) => [
  onLink(way, 'cut in the middle of answers', [100, 800], cut),
  onLink(way, 'refused', [500, 3_000], refuse),
  onLink(way, 'held back', [500, 4_000], hold),
]);

function onLink(way: Way, what: string, lasts: FaultKind['lasts'], act: Act): FaultKind {
  return {
    name: `${way.name}: ${what}`,
    targets: way.targets,
    lasts,
    concerns: (target) => [target as ProcessName],
    async strike(strike) {
      const link = way.linkOf(strike.stage, strike.target as ProcessName);
      if (link === undefined) throw new Error(`there is no link for ${strike.target}`);
      await act(link, strike);
    },
  };
}
