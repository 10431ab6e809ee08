// An API and a worker in one process whose product files are instrumented. The parent process tells it when a walk begins, and
// gets the files that were entered since then, in the order of their first function.

import { Writable } from 'node:stream';
import { startApi } from '#apps/api/compose.js';
import { startWorker } from '#apps/worker/compose.js';
import { readConfig } from '#platform/config/config.js';
import { createLogger } from '#platform/logging/logger.js';

export type ToParts = 'begin' | 'end';
export type FromParts = { readonly port: number } | { readonly files: readonly string[] };

const entered = new Set<string>();
const tell = (message: FromParts) => process.send?.(message);

// biome-ignore lint/style/noProcessEnv: the settings of the parts
const config = readConfig(process.env);
const destination = new Writable({ write: (_chunk, _encoding, done) => done() });
const logger = createLogger({ name: 'walks', level: 'info', destination });
const fail = (error: unknown) => {
  throw error;
};

const api = await startApi(config, logger, fail);
await startWorker(config, logger, fail);

process.on('message', (message: ToParts) => {
  if (message === 'begin') {
    entered.clear();
    Object.assign(globalThis, { noteEntered: (file: string) => entered.add(file) });
    tell({ files: [] });
  } else {
    Object.assign(globalThis, { noteEntered: undefined });
    tell({ files: [...entered] });
  }
});
process.on('disconnect', () => process.exit());
tell({ port: api.port });
