// The test files that only `npm run test:all` runs, and `npm test -- PATTERN` when their path holds the pattern: each takes 10 to 120
// seconds, and all together twice the time of the others.

const CONSOLE_IN_A_BROWSER = [
  'account',
  'confirm-email',
  'first-view',
  'forgot-password',
  'health',
  'integration',
  'live',
  'login',
  'previews',
  'users',
  'wager-clock',
  'wagers',
].map((name) => `apps/console/test/${name}`);

const FAULTS = [
  'apps/api/routes/accounts/health',
  'apps/api/test/cut-off-imports',
  'apps/api/test/login-flood',
  'apps/api/test/outages',
  'apps/api/test/silence',
  'apps/api/test/silent-health',
  'apps/api/test/standby-reads',
  'apps/api/test/take-over',
  'apps/cli/audit',
  'apps/cli/correction',
  'apps/cli/failed-audit',
  'apps/console/server/caller-address',
  'apps/console/server/odd-framings',
  'apps/worker/test/cancel-timers',
  'apps/worker/test/closing-kill',
  'apps/worker/test/export-kill',
  'apps/worker/test/mail',
  'apps/worker/test/redis-cluster',
  'apps/worker/test/silence',
  'apps/worker/test/stuck-work',
  'libs/platform/database/errors',
  'libs/platform/database/timed-client',
  'proof/nights/nights',
  'proof/storm/checks/check-all',
  'proof/storm/command',
];

const MANY_CASES = [
  'apps/api/openapi/documented-limits',
  'apps/api/routes/accounts/passwords',
  'apps/api/routes/previews/preview-turns',
  'apps/api/routes/previews/previews',
  'apps/api/routes/wagers/stream-book',
  'apps/api/test/approval-machine',
  'apps/api/test/approval-races',
  'apps/api/test/bet-hammer',
  'apps/api/test/copies',
  'apps/api/test/fuzz',
  'apps/api/test/large-requests',
  'apps/api/test/settlement-hammer',
  'apps/worker/event-indexing',
  'apps/worker/test/previews',
  'clients/typescript/other-clients',
  'clients/typescript/packed',
  'libs/events/event-index',
  'libs/reads/event-search',
  'libs/reads/list-depth',
  'proof/nights/checks',
  'proof/second-ledger/decimals',
];

const TOOLS = [
  'tools/check/image',
  'tools/demo/command',
  'tools/demo/demo',
  'tools/launcher/launcher',
  'tools/setup/run-tests',
  'tools/setup/stopped-run',
];

export const LONG_TESTS = [...CONSOLE_IN_A_BROWSER, ...FAULTS, ...MANY_CASES, ...TOOLS];
