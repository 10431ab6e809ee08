import { afterAll, beforeAll } from '@jest/globals';
import { createTestEnvironment, type TestEnvironment } from './environment.js';

/** The environment of a test file, from before its first test. After the last test, `closeOthers` comes before its own end. */
export function withTestEnvironment(closeOthers?: () => Promise<unknown>): TestEnvironment {
  const environment = {} as TestEnvironment;
  beforeAll(async () => {
    Object.assign(environment, await createTestEnvironment());
  });
  afterAll(async () => {
    await closeOthers?.();
    await environment.close?.();
  });
  return environment;
}
