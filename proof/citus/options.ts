import { parseArgs } from 'node:util';
import { StartError } from '#platform/errors/start-error.js';

export const STEPS = ['migrations', 'tests', 'demo', 'filled', 'outage', 'events', 'rebalance'] as const;
export type Step = (typeof STEPS)[number];

/** Its host and port, and shell commands that kill it and bring it back. */
export interface KilledNode {
  readonly host: string;
  readonly stop: string;
  readonly start: string;
}

export interface CitusOptions {
  /** A database of the cluster's coordinator; the proof makes databases of its own there. */
  readonly databaseUrl: string;
  readonly steps: readonly Step[];
  readonly node: KilledNode | undefined;
  /** Host and port of a PostgreSQL with Citus that is in no cluster. */
  readonly thirdNode: string | undefined;
  /** One PostgreSQL to compare with: measures instead of proving. */
  readonly plainUrl: string | undefined;
  /** A part of the names of the test files; undefined: all that prove something on a cluster. */
  readonly tests: string | undefined;
  readonly seconds: number;
}

export const USAGE = `npm run proof:citus -- DATABASE_URL [options]

  DATABASE_URL         a database of the coordinator
  --only STEPS         of ${STEPS.join(', ')}; default: all that the options allow
  --tests PATTERN      these test files alone; default: those that together run every route, command and job
  --node HOST:PORT     the node to kill, with
  --stop COMMAND         the command that kills it, and
  --start COMMAND        the command that brings it back
  --third HOST:PORT    a node that joins under load
  --seconds N          how long each phase under load takes (default 15)
  --measure PLAIN_URL  measures instead: make-offer and settlement, compared with one PostgreSQL`;

const OPTIONS = {
  only: { type: 'string' },
  tests: { type: 'string' },
  node: { type: 'string' },
  stop: { type: 'string' },
  start: { type: 'string' },
  third: { type: 'string' },
  seconds: { type: 'string', default: '15' },
  measure: { type: 'string' },
} as const;

export function readOptions(args: readonly string[]): CitusOptions {
  try {
    const { values, positionals } = parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true });
    const [databaseUrl, ...more] = positionals;
    if (databaseUrl === undefined || more.length > 0) throw new Error('One DATABASE_URL is needed.');
    const { node: host, stop, start } = values;
    const hasNode = host !== undefined && stop !== undefined && start !== undefined;
    const possible = STEPS.filter((step) => {
      if (step === 'outage' || step === 'events') return hasNode;
      return step !== 'rebalance' || values.third !== undefined;
    });
    const steps = values.only === undefined ? possible : STEPS.filter((step) => values.only?.split(',').includes(step));
    if (steps.some((step) => !possible.includes(step))) throw new Error('A step lacks its options.');
    return {
      databaseUrl,
      steps,
      node: hasNode ? { host, stop, start } : undefined,
      thirdNode: values.third,
      plainUrl: values.measure,
      tests: values.tests,
      seconds: Number(values.seconds),
    };
  } catch (error) {
    throw new StartError(`${(error as Error).message}\n\n${USAGE}`);
  }
}
