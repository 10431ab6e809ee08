import type { AuditReport, Finding } from './check.js';

/* An audit as text: for the console, for Bull Board, for the log. */

const number = new Intl.NumberFormat('en-US');

const counted = (count: number, thing: string): string => `${number.format(count)} ${thing}${count === 1 ? '' : 's'}`;

const isDiffering = ({ differing }: Finding): boolean => differing > 0;

export const differencesIn = (findings: readonly Finding[]): number =>
  findings.reduce((sum, { differing }) => sum + differing, 0);

export const comparisonsIn = (findings: readonly Finding[]): number =>
  findings.reduce((sum, { compared }) => sum + compared, 0);

/** The findings of several groups of accounts, as if they were one. */
export const mergeFindings = (groups: readonly (readonly Finding[])[], shown: number): Finding[] => {
  const [first = [], ...others] = groups;
  return first.map((finding, index) => {
    const all = [finding, ...others.map((findings) => findings[index] as Finding)];
    return {
      ...finding,
      compared: all.reduce((sum, { compared }) => sum + compared, 0),
      differing: all.reduce((sum, { differing }) => sum + differing, 0),
      differences: all.flatMap(({ differences }) => differences).slice(0, shown),
      accountIds: all.flatMap(({ accountIds }) => accountIds),
    };
  });
};

/** The shown differences, one line each, and the number of others. */
export const linesOfDifferences = (findings: readonly Finding[]): string[] =>
  findings.filter(isDiffering).flatMap(({ name, differing, differences }) => {
    const more = differing - differences.length;
    return [
      `${name}: ${counted(differing, 'difference')}`,
      ...differences.map(({ accountId, subject, text }) => {
        const whose = subject === '' ? `account ${accountId}` : `account ${accountId}, ${subject}`;
        return `  ${whose}: ${text}`;
      }),
      ...(more > 0 ? [`  and ${number.format(more)} more`] : []),
    ];
  });

const lineOf = ({ name, things, compared, differing }: Finding): string => {
  const verdict = differing === 0 ? 'ok' : 'DIFFERS';
  const found = differing === 0 ? '' : `: ${counted(differing, 'difference')}`;
  return `${verdict.padEnd(8)}${name} (${number.format(compared)} ${things})${found}`;
};

/** The result and the extent, in one line. */
export const verdictOf = ({ findings, tookMs }: AuditReport): string => {
  const differing = differencesIn(findings);
  const extent = `${findings.length} checks, ${number.format(comparisonsIn(findings))} comparisons`;
  const verdict = differing === 0 ? 'The books balance' : `${counted(differing, 'difference')} found`;
  return `${verdict}: ${extent}, ${(tookMs / 1000).toFixed(1)} s.`;
};

/** The counts of differences, in one line. */
export const reasonOf = (findings: readonly Finding[]): string => {
  const counts = findings.filter(isDiffering).map(({ name, differing, compared, things }) => {
    return `${name}: ${number.format(differing)} of ${number.format(compared)} ${things}`;
  });
  return `the books do not balance: ${counts.join('; ')}`;
};

/** The whole report: a line for each check, the differences, the verdict. */
export const textOf = (report: AuditReport): string => {
  const differences = linesOfDifferences(report.findings);
  const blocks = [report.findings.map(lineOf), differences, [verdictOf(report)]];
  return blocks
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n');
};
