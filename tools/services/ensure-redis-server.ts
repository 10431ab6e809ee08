import { StartError } from '#platform/errors/start-error.js';
import { isNewEnough } from '#platform/redis/redis-check.js';
import { findProgram, runProgram } from './run-program.js';

const INSTALL_TIMEOUT_MS = 10 * 60_000;
const ADVICE = 'Install Redis 6.2 or later (or Valkey), or set REDIS_URL to a Redis of your own.';

// Debian starts a service when it is installed, unless a policy-rc.d forbids it; the script creates one and deletes it.
// Another program may lock the package lists, so the update has a second try; without it the outdated lists may do.
const APT_SCRIPT = `
set -e
export DEBIAN_FRONTEND=noninteractive
policy=/usr/sbin/policy-rc.d
if [ ! -e "$policy" ]; then
  trap 'rm -f "$policy"' EXIT
  trap 'exit 1' HUP INT TERM
  printf '#!/bin/sh\\nexit 101\\n' > "$policy"
  chmod 755 "$policy"
fi
apt-get -q update || { sleep 5; apt-get -q update; } || true
install() { apt-get -q -y --no-install-recommends -o DPkg::Lock::Timeout=300 install "$1"; }
install redis-server || install valkey-server
`;

/** Returns the path of a recent Redis (or Valkey) server; installs one where no question to the user is needed. */
export async function ensureRedisServer(log: (line: string) => void = () => undefined): Promise<string> {
  const installed = await findServer();
  if (installed !== undefined) return installed;
  const installer = await findInstaller();
  if (installer === undefined) {
    throw new StartError(
      `There is no redis-server on this machine, and no way to install it without asking you. ${ADVICE}`,
    );
  }
  log(`Installing redis-server with ${installer.name}`);
  const result = await runProgram(installer.command, installer.args, { timeoutMs: INSTALL_TIMEOUT_MS });
  const found = await findServer();
  if (found === undefined) {
    const reason = result.output.split('\n').slice(-8).join('\n');
    throw new StartError(`redis-server could not be installed with ${installer.name}. ${ADVICE}\n${reason}`);
  }
  return found;
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

interface Installer {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
}

async function findInstaller(): Promise<Installer | undefined> {
  if ((await findProgram('apt-get')) !== undefined) {
    const install = ['/bin/sh', '-c', APT_SCRIPT];
    if (process.getuid?.() === 0) return { name: 'apt-get', command: '/bin/sh', args: install.slice(1) };
    if ((await runProgram('sudo', ['-n', 'true'])).succeeded) {
      return { name: 'sudo apt-get', command: 'sudo', args: ['-n', ...install] };
    }
  }
  if ((await findProgram('brew')) !== undefined) return { name: 'brew', command: 'brew', args: ['install', 'redis'] };
  return undefined;
}
