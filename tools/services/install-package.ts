import { findProgram, runProgram } from './run-program.js';

export interface WantedPackage {
  /** Names of Debian packages: the first that can be installed is enough. */
  readonly apt: readonly string[];
  /** Undefined: Homebrew has none that installs without asking. */
  readonly brew?: string;
}

/** How this machine installs a package without a question to the user. */
export interface Installer {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
}

const INSTALL_TIMEOUT_MS = 10 * 60_000;

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
for name in "$@"; do
  if apt-get -q -y --no-install-recommends -o DPkg::Lock::Timeout=300 install "$name"; then exit 0; fi
done
exit 1
`;

/** Undefined: this machine cannot install it without asking. */
export async function findInstaller({ apt, brew }: WantedPackage): Promise<Installer | undefined> {
  if ((await findProgram('apt-get')) !== undefined) {
    const install = ['/bin/sh', '-c', APT_SCRIPT, 'sh', ...apt];
    if (process.getuid?.() === 0) return { name: 'apt-get', command: '/bin/sh', args: install.slice(1) };
    if ((await runProgram('sudo', ['-n', 'true'])).succeeded) {
      return { name: 'sudo apt-get', command: 'sudo', args: ['-n', ...install] };
    }
  }
  if (brew !== undefined && (await findProgram('brew')) !== undefined)
    return { name: 'brew', command: 'brew', args: ['install', brew] };
  return undefined;
}

/** Returns what the installer wrote. */
export async function install({ command, args }: Installer): Promise<string> {
  return (await runProgram(command, args, { timeoutMs: INSTALL_TIMEOUT_MS })).output;
}
