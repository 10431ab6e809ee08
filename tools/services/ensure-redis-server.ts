import { StartError } from '#platform/errors/start-error.js';
import { isNewEnough } from '#platform/redis/redis-check.js';
import { ensure } from './install-package.js';
import { findProgram, runProgram } from './run-program.js';

const ADVICE = 'Install Redis 6.2 or later (or Valkey), or set REDIS_URL to a Redis of your own.';

const PACKAGE = { apt: ['redis-server', 'valkey-server'], brew: 'redis' } as const;

/** Returns the path of a recent Redis (or Valkey) server; installs one where no question to the user is needed. */
export async function ensureRedisServer(log: (line: string) => void = () => undefined): Promise<string> {
  const { found, installer, reason } = await ensure(PACKAGE, findServer, log);
  if (found !== undefined) return found;
  throw new StartError(
    installer === undefined
      ? `There is no redis-server on this machine, and no way to install it without asking you. ${ADVICE}`
      : `redis-server could not be installed with ${installer.name}. ${ADVICE}\n${reason}`,
  );
}

async function findServer(): Promise<string | undefined> {
  let tooOld: string | undefined;
  for (const name of ['redis-server', 'valkey-server']) {
    const program = await findProgram(name);
    if (program === undefined) continue;
    // "Redis server v=7.0.15 sha=…", "Valkey server v=8.1.1 sha=…"
    const { output } = await runProgram(program, ['--version']);
    const [, major, minor] = /v=(\d+)\.(\d+)/.exec(output) ?? [];
    if (isNewEnough(Number(major), Number(minor))) return program;
    tooOld ??= `${program} is too old (${output.split(' sha=')[0]}). ${ADVICE}`;
  }
  if (tooOld !== undefined) throw new StartError(tooOld);
  return undefined;
}
