/**
 * Patterns for the names of the test files that together run every route, command and job. `--tests` runs others on the
 * cluster; some of them are about one PostgreSQL, or write rows by SQL that Citus cannot plan.
 */
export const testsOnCitus: readonly string[] = [
  'apps/api/openapi/answers',
  // Who may enter is changed on the coordinator.
  'apps/api/routes/(accounts|admin/(end|update)|api-keys|sessions|webhook-endpoints)',
  'apps/api/test/(idempotency|isolation|large-requests|settlement-bound|tenants)',
  'apps/cli/',
  'apps/worker/sweep',
  'apps/worker/test/(audit|exports-in-turn|https-webhooks|mail|previews|settlement|traces)',
];
