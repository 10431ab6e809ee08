import { startApi } from '#apps/api/compose.js';
import { startDashboard } from '#apps/console/compose.js';
import { startWorker, type WorkerSettings } from '#apps/worker/compose.js';
import { TestClient } from './client.js';
import type { TestEnvironment } from './environment.js';

// Starts the API, the dashboard and the worker inside the test's process, with the functions that their mains use.

export interface TestPart {
  readonly client: TestClient;
  close(): Promise<void>;
}

const fail = (error: unknown) => {
  throw error;
};

type Overrides = Record<string, string>;

export async function startTestApi(environment: TestEnvironment, overrides: Overrides = {}): Promise<TestPart> {
  const api = await startApi(environment.config(overrides), environment.logger, fail);
  return { client: new TestClient(`http://127.0.0.1:${api.port}`), close: () => api.close() };
}

export async function startTestDashboard(environment: TestEnvironment, overrides: Overrides = {}): Promise<TestPart> {
  const dashboard = await startDashboard(environment.config(overrides), environment.logger, fail);
  return { client: new TestClient(`http://127.0.0.1:${dashboard.port}`), close: () => dashboard.close() };
}

export async function startTestWorker(
  environment: TestEnvironment,
  overrides: Overrides = {},
  settings: WorkerSettings = {},
) {
  return startWorker(environment.config(overrides), environment.logger, fail, settings);
}
