import type { Finding } from './checks/check-all.js';
import type { Recovery } from './faults/recovery-watch.js';

/** The result of a storm. */
export interface StormReport {
  /** How often each kind of fault was injected. */
  readonly faults: ReadonlyMap<string, number>;
  readonly recoveries: readonly Recovery[];
  /** Lines of figures about what was checked. */
  readonly facts: readonly string[];
  /** Empty when no check failed. */
  readonly findings: readonly Finding[];
}

/** They recover on their own; all other processes wait for them. */
const services = ['PostgreSQL', 'Redis'];
const AFTER_SEVERAL = 'after several faults together';
const SHOWN = 50;

/** Whether a storm had most kinds of faults, and recoveries. */
export const isEnoughOf = ({ faults, recoveries }: Pick<StormReport, 'faults' | 'recoveries'>): boolean =>
  [...faults.values()].filter((count) => count > 0).length > faults.size / 2 && recoveries.length > 10;

export function findSlowRecoveries(recoveries: readonly Recovery[], patience = 1): Finding[] {
  return recoveries
    .filter(({ tookMs, withinMs }) => tookMs > withinMs * patience)
    .map(({ process, faults, tookMs }) => ({
      check: 'recovery',
      text: `${process} was in service only ${secondsOf(tookMs)} after the end of: ${faults.join(', ')}`,
    }));
}

export function textOf(report: StormReport): string {
  const { facts, findings } = report;
  const verdict =
    findings.length === 0
      ? '  No findings: every acknowledged effect is in the database exactly once, and nothing else.'
      : `  ${findings.length} ${findings.length === 1 ? 'finding' : 'findings'}.`;
  return [
    '',
    tableOf(report),
    '',
    ...facts.map((fact) => `  ${fact}`),
    '',
    ...linesOfFindings(findings),
    verdict,
    '',
  ].join('\n');
}

export function linesOfFindings(findings: readonly Finding[]): string[] {
  const shown = findings.slice(0, SHOWN).map(({ check, text }) => `  FOUND  ${check}: ${text}`);
  return findings.length > SHOWN ? [...shown, `  … and ${findings.length - SHOWN} more`] : shown;
}

interface ReportRow {
  readonly name: string;
  /** Undefined where other rows have it. */
  readonly count: number | undefined;
  readonly recoveries: readonly Recovery[];
}

/** A row for each kind of fault, one for recoveries from several faults, and one for each service. */
function tableOf({ faults, recoveries: all }: StormReport): string {
  const recoveries = all.filter(({ process }) => !services.includes(process));
  const rows: ReportRow[] = [...faults].map(([name, count]) => ({
    name,
    count,
    recoveries: recoveries.filter((recovery) => recovery.faults.length === 1 && recovery.faults[0] === name),
  }));
  rows.push({
    name: AFTER_SEVERAL,
    count: undefined,
    recoveries: recoveries.filter((recovery) => recovery.faults.length > 1),
  });
  for (const service of services) {
    const own = all.filter(({ process }) => process === service);
    rows.push({ name: `${service} itself, from its start`, count: undefined, recoveries: own });
  }
  const width = Math.max(...rows.map(({ name }) => name.length));
  const line = (name: string, cells: readonly string[]) =>
    `  ${name.padEnd(width)}${cells.map((cell) => cell.padStart(11)).join('')}`;
  const head = line('fault', ['how often', 'recoveries', 'mean', 'slowest']);
  const body = rows.map(({ name, count, recoveries: own }) => line(name, [String(count ?? ''), ...figuresOf(own)]));
  return [head, `  ${'-'.repeat(head.length - 2)}`, ...body].join('\n');
}

function figuresOf(recoveries: readonly Recovery[]): string[] {
  if (recoveries.length === 0) return ['0', '', ''];
  const times = recoveries.map(({ tookMs }) => tookMs);
  const mean = times.reduce((sum, time) => sum + time, 0) / times.length;
  return [String(times.length), secondsOf(mean), secondsOf(Math.max(...times))];
}

const secondsOf = (ms: number): string => `${(ms / 1_000).toFixed(2)} s`;
