import { accountOf, type Bench, type Figures, type Scenario } from './bench.js';
import { runLoad } from './load/run-load.js';
import { finishSeeding } from './seed.js';
import { openSettlingLedger, type SettlingLedger, settle } from './settlement.js';

// The fair share of a neighbour: an account makes offers at rest, while another account sends as many batches as it
// can, and during the settlement of a third one's large wager.

const NEIGHBOUR = 4;
const NEIGHBOUR_CONNECTIONS = 4;
const LOUD = 5;
const LOUD_CONNECTIONS = 64;
const SETTLING = 6;
/** Above the real rate, so that the settlement outlasts the offers. */
const BETS_A_SECOND = 20_000;
const WARM_UP_MS = 200;
/** The process of the load starts in this time, and the loud one runs longer at both ends. */
const LONGER_MS = 1_000;

export const tenantsScenario: Scenario = {
  name: 'tenants',
  async prepare(bench, build) {
    const ledger = await openSettlingLedger(bench, build, 'tenants');
    await makeOffers(ledger, bench.options.seconds * 1_000); // warms up
    return { measure: () => measureNeighbour(bench, ledger), close: ledger.close };
  },
};

const loadOn = ({ api: { port } }: SettlingLedger, measureMs: number) => ({ port, measureMs, warmUpMs: WARM_UP_MS });

const makeOffers = (ledger: SettlingLedger, measureMs: number) =>
  runLoad({
    ...loadOn(ledger, measureMs),
    connections: NEIGHBOUR_CONNECTIONS,
    workload: { kind: 'make', accounts: [accountOf(ledger, NEIGHBOUR)] },
  });

async function measureNeighbour({ options }: Bench, ledger: SettlingLedger): Promise<Figures> {
  const measureMs = options.seconds * 1_000;
  await finishSeeding(ledger.database);
  const before = await makeOffers(ledger, measureMs);
  const loud = { kind: 'batch', accounts: [accountOf(ledger, LOUD)] } as const;
  const [batches] = await Promise.all([
    makeOffers(ledger, measureMs),
    runLoad({ ...loadOn(ledger, measureMs + LONGER_MS), connections: LOUD_CONNECTIONS, warmUpMs: 0, workload: loud }),
  ]);
  const reference = await ledger.seed(SETTLING, options.bets);
  const [settlement] = await Promise.all([
    makeOffers(ledger, Math.min(measureMs, (options.bets * 1_000) / BETS_A_SECOND)),
    settle(ledger, SETTLING, reference),
  ]);
  await finishSeeding(ledger.database);
  const after = await makeOffers(ledger, measureMs);
  const atRest = (before.p99Ms + after.p99Ms) / 2;
  return {
    'p99 ms at rest': atRest,
    'beside batches': batches.p99Ms,
    'beside a settlement': settlement.p99Ms,
    'settlement over rest': settlement.p99Ms / atRest,
  };
}
