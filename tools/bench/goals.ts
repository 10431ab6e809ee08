import { type Figures, RATE } from './bench.js';

/** At most 15: what would make a change of the ledger wrong. docs/performance.md has their last figures. */
export interface Goal {
  readonly scenario: string;
  /** A name of the scenario's figures. */
  readonly figure: string;
  readonly title: string;
  readonly atLeast?: number;
  readonly atMost?: number;
}

/** The rate over that of the lean ceiling. */
export const LEAN = 'of the ceiling';

const cpu = (connections: number, part: 'API' | 'PostgreSQL', atMost: number): Goal => ({
  scenario: `make-offer-${connections}`,
  figure: `${part} µs`,
  atMost,
  title: `make-offer at ${connections}: processor time of ${part}, µs`,
});

export const GOALS: readonly Goal[] = [
  { scenario: 'make-offer-64', figure: LEAN, title: 'make-offer at 64: over the lean ceiling', atLeast: 0.5 },
  { scenario: 'make-offer-256', figure: LEAN, title: 'make-offer at 256: over the lean ceiling', atLeast: 0.75 },
  { scenario: 'make-offer-64', figure: 'p99 ms', title: 'make-offer at 64: p99, ms', atMost: 60 },
  cpu(1, 'API', 1_500),
  cpu(1, 'PostgreSQL', 900),
  cpu(64, 'API', 300),
  cpu(64, 'PostgreSQL', 150),
  {
    scenario: 'make-keyed-64',
    figure: 'over make-offer',
    atLeast: 0.85,
    title: 'make-offer with keys at 64: over that without',
  },
  { scenario: 'accept-offer-64', figure: LEAN, title: 'accept-offer at 64: over the lean ceiling', atLeast: 0.5 },
  { scenario: 'mixed-64', figure: 'API MB', title: 'Memory of the API after all loads, peak, MB', atMost: 220 },
  { scenario: 'settlement', figure: LEAN, title: 'Settlement: over the lean ceiling', atLeast: 0.5 },
  { scenario: 'settlement', figure: 'worker MB', title: 'Memory of the worker, peak, MB', atMost: 220 },
  { scenario: 'lists', figure: 'most over small', title: 'First pages: a million rows over 10,000', atMost: 2 },
  { scenario: 'lists', figure: 'slowest by cursor ms', title: 'Page by cursor among a million: p50, ms', atMost: 10 },
  {
    scenario: 'tenants',
    figure: 'settlement over rest',
    atMost: 3,
    title: "A neighbour's p99 during a settlement, over that at rest",
  },
];

export interface Verdict extends Goal {
  /** Undefined: not measured. */
  readonly value?: number;
  readonly isMet?: boolean;
}

/** Of the goals of these scenarios. */
export const verdictsOf = (figures: ReadonlyMap<string, Figures>): Verdict[] =>
  GOALS.filter(({ scenario }) => figures.has(scenario)).map((goal) => {
    const value = figures.get(goal.scenario)?.[goal.figure];
    if (value === undefined) return goal;
    const { atLeast = -Infinity, atMost = Infinity } = goal;
    return { ...goal, value, isMet: value >= atLeast && value <= atMost };
  });

/** The rate, divided by a ceiling that was measured before and after it. */
export function besideCeiling(figures: Figures, ceilings: readonly (number | undefined)[]): Figures {
  const known = ceilings.filter((rate) => rate !== undefined);
  const mean = known.reduce((sum, rate) => sum + rate, 0) / known.length;
  const rate = figures[RATE];
  return rate === undefined || known.length === 0 ? figures : { ...figures, [LEAN]: rate / mean };
}
