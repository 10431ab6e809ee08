import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const KEY_BYTES = 32;

/** The `WEBHOOK_KEY` of a data folder. Without it, the secrets of the endpoints in its database cannot be read. */
export function webhookKeyIn(dataDir: string): string {
  const file = path.join(dataDir, 'webhook-key');
  mkdirSync(dataDir, { recursive: true, mode: 0o711 });
  try {
    writeFileSync(file, randomBytes(KEY_BYTES).toString('base64'), { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return readFileSync(file, 'utf8').trim();
}
