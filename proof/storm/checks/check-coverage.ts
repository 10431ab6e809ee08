import { finalAnswer, type History, wasTriedAgain } from '../history.js';
import { type Finding, findingsOf } from './finding.js';

// A storm proves something only about operations that occurred often enough.

/** Counts by name. */
export type Figures = ReadonlyMap<string, number>;

/** Counts without an entry must be at least 1. */
const LEAST_IN_A_MINUTE: Figures = new Map([
  ['operations', 200],
  ['successes', 100],
  ['refusals', 10],
  ['reads of users', 20],
  ['requests for data of other accounts', 2],
  ['retried requests', 5],
  ['requests answered more than once', 5],
  ['plain wagers decided', 2],
  ['plain overrides', 1],
  ['bulk wagers decided', 1],
  ['wagers settled by workers', 1],
  ['users created', 20],
  ['payments', 35],
  ['offers made', 50],
  ['offers accepted', 20],
  ['offers canceled', 1],
  // Rare, and some move no bet.
  ['wagers corrected by the admin', 0],
  ['mails', 5],
]);

/** It takes two people: a storm of less than a minute may have none. */
const RARE: ReadonlySet<string> = new Set(['change requests executed']);

const SHORTEST_SECONDS = 30;
const MINUTE = 60;

export interface CoverageReport {
  readonly findings: readonly Finding[];
  readonly fact: string;
}

/** The figures of these names that are too small, in words. */
export function lacksOf(seconds: number, figures: Figures, names: readonly string[]): string[] {
  const share = Math.min(1, seconds / MINUTE);
  return names.flatMap((name) => {
    const round = RARE.has(name) ? Math.floor : Math.ceil;
    const least = round((LEAST_IN_A_MINUTE.get(name) ?? 1) * share);
    const count = figures.get(name) ?? 0;
    return count < least ? [`${name}: ${count}, at least ${least} in ${Math.round(seconds)} s`] : [];
  });
}

/** A storm of more than a minute needs no more than one of a minute: some operations happen only during the set-up. */
export function checkCoverage(seconds: number, figures: Figures): CoverageReport {
  if (seconds < SHORTEST_SECONDS) {
    const fact = `${Math.round(seconds)} s are too short to require enough of everything`;
    return { findings: [], fact };
  }
  const names = [...new Set([...LEAST_IN_A_MINUTE.keys(), ...figures.keys()])];
  const texts = lacksOf(seconds, figures, names);
  return {
    findings: findingsOf('the storm exercised enough of everything', texts),
    fact: `the storm exercised enough of everything: ${names.length - texts.length} of ${names.length} figures`,
  };
}

/** Counts from the record of the clients. */
export function figuresOf({ operations, hostility }: History): Figures {
  const withStatus = (from: number, below: number): number =>
    operations.filter((each) => {
      const status = finalAnswer(each)?.status ?? 0;
      return status >= from && status < below;
    }).length;
  return new Map([
    ['operations', operations.length],
    ['successes', withStatus(200, 300)],
    ['refusals', withStatus(400, 500)],
    ['reads of users', operations.filter(({ kind }) => kind === 'read-user' || kind === 'read-users').length],
    ['requests for data of other accounts', operations.filter(({ kind }) => kind === 'cross-tenant').length],
    ['retried requests', operations.filter(wasTriedAgain).length],
    ['requests answered more than once', operations.filter(({ answers }) => answers.length > 1).length],
    ['odd requests', hostility.sent],
    ['connections left unread', hostility.unread],
  ]);
}
