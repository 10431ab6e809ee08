import path from 'node:path';
import type { RunningServices } from '#tools/services/data-folder.js';
import type { LauncherConfig } from './launcher-config.js';

/** The text that the launcher prints when everything is ready. */
export function welcome(services: RunningServices, { dataDir, mailsAreFiles }: LauncherConfig): string {
  const { apiUrl, dashboardUrl, workerMetricsUrl } = services;
  const lines = [
    '',
    'The betting ledger is running.',
    '',
    `  Console    ${dashboardUrl}`,
    `  API        ${apiUrl}`,
    `  Try it     ${apiUrl}/docs`,
    `  Queues     ${dashboardUrl}/queues (for admin accounts)`,
    `  Metrics    ${apiUrl}/metrics and ${workerMetricsUrl}`,
    `  Data       ${dataDir}`,
    ...(mailsAreFiles ? [`  Mails      ${path.join(dataDir, 'mail')} (set SMTP_URL to send them)`] : []),
    '',
    '  Make an account an admin:  npm run make-admin -- EMAIL',
    '  Stop everything:           Ctrl-C',
    '',
  ];
  return lines.join('\n');
}
