/** Parts of the names of the test files that run on the cluster: together they run every route, command and job. */
export const testsOnCitus: readonly string[] = ['apps/api/openapi/answers', 'apps/cli/', 'apps/worker/'];
