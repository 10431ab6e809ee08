import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const SECRET_BYTES = 32;

/** Random bytes of a data folder, which the first caller makes. */
function secretIn(dataDir: string, name: string): string {
  const file = path.join(dataDir, name);
  mkdirSync(dataDir, { recursive: true, mode: 0o711 });
  try {
    writeFileSync(file, randomBytes(SECRET_BYTES).toString('base64'), { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return readFileSync(file, 'utf8').trim();
}

/** The `WEBHOOK_KEY` of a data folder. Without it, the secrets of the endpoints in its database cannot be read. */
export const webhookKeyIn = (dataDir: string): string => secretIn(dataDir, 'webhook-key');

/** The password of the role that the parts use in the database of a data folder. */
export const databasePasswordIn = (dataDir: string): string => secretIn(dataDir, 'database-password');

/** The `CONSOLE_SECRET` of a data folder. */
export const consoleSecretIn = (dataDir: string): string => secretIn(dataDir, 'console-secret');
