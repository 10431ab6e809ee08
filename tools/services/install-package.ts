import { findProgram, runProgram } from './run-program.js';

export interface WantedPackage {
  /** Names of Debian packages: the first that can be installed is enough. */
  readonly apt: readonly string[];
  /** Undefined: Homebrew has none that installs without asking. */
  readonly brew?: string;
}

/** How this machine installs a package without a question to the user. */
interface Installer {
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
async function findInstaller({ apt, brew }: WantedPackage): Promise<Installer | undefined> {
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

export interface Ensured {
  readonly found: string | undefined;
  /** Undefined: this machine cannot install it without asking. */
  readonly installer?: Installer | undefined;
  /** The end of what the installer wrote. */
  readonly reason?: string;
}

/** Finds what the package brings; else installs the package, where no question to the user is needed, and looks again. */
export async function ensure(
  wanted: WantedPackage,
  find: () => Promise<string | undefined>,
  log: (line: string) => void = () => undefined,
): Promise<Ensured> {
  const installed = await find();
  if (installed !== undefined) return { found: installed };
  const installer = await findInstaller(wanted);
  if (installer === undefined) return { found: undefined };
  log(`Installing ${wanted.apt[0]} with ${installer.name}`);
  const { output } = await runProgram(installer.command, installer.args, { timeoutMs: INSTALL_TIMEOUT_MS });
  return { found: await find(), installer, reason: output.split('\n').slice(-8).join('\n') };
}
