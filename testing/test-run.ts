import type { PrivateService } from '#tools/services/service-process.js';
import type { TestDatabase } from './databases.js';

/** The global setup passes its servers to the teardown: both run in the same process. */
export const testRun: {
  folder?: string;
  postgres?: PrivateService;
  redis?: PrivateService;
  pgbouncer?: PrivateService;
  template?: TestDatabase;
} = {};
