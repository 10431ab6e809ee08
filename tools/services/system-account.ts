// PostgreSQL refuses to run as root. A launcher that runs as root (mostly in containers) runs it as another account, which
// must reach the program and the data, also inside folders that only root may enter, such as /root.

import { stat } from 'node:fs/promises';
import { StartError } from '#platform/errors/start-error.js';
import { runProgram, SYSTEM_ENVIRONMENT } from './run-program.js';

export interface SystemAccount {
  readonly uid: number;
  readonly gid: number;
  /** The process gets the capability to pass folders that are closed to its account. */
  readonly passesFolders: boolean;
}

export interface Places {
  /** The data folder: its owner, when not root, is the account. */
  readonly data: string;
  /** A program in the folder of programs. */
  readonly program: string;
}

/** The account for PostgreSQL; undefined when this process is not root: PostgreSQL then runs as the same user. */
export async function findAccount(places: Places): Promise<SystemAccount | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const owner = (await ownerOf(places.data)) ?? (await findOrCreateUser());
  const plain = { ...owner, passesFolders: false };
  if (await canReach(plain, places)) return plain;
  const privileged = { ...owner, passesFolders: true };
  if ((await hasSetpriv()) && (await canReach(privileged, places))) return privileged;
  throw new StartError(
    `PostgreSQL does not run as root, and the account that it would run as (uid ${owner.uid}) cannot reach ` +
      `${places.program} or ${places.data}. Start as an ordinary user, or move the project and DATA_DIR to folders ` +
      'that every user may enter, or set DATABASE_URL to a PostgreSQL of your own.',
  );
}

export interface Launch {
  readonly command: string;
  readonly args: readonly string[];
  readonly ids: { readonly uid?: number; readonly gid?: number };
}

export interface LaunchOptions {
  readonly account: SystemAccount | undefined;
  /** The signal to the process when its parent dies, so that a killed launcher leaves no process (Linux only). */
  readonly deathSignal?: NodeJS.Signals;
}

/** The command line that runs `command` as the account. */
export async function launchAs(
  command: string,
  args: readonly string[],
  { account, deathSignal }: LaunchOptions,
): Promise<Launch> {
  if (!(await hasSetpriv())) {
    return { command, args, ids: account === undefined ? {} : { uid: account.uid, gid: account.gid } };
  }
  const asAccount = account === undefined ? [] : [`--reuid=${account.uid}`, `--regid=${account.gid}`, '--clear-groups'];
  // Without the securebits access(2), which PostgreSQL calls, ignores the capability.
  const passing = account?.passesFolders
    ? ['--securebits=+no_setuid_fixup', '--inh-caps=+dac_override', '--ambient-caps=+dac_override']
    : [];
  const dying = deathSignal === undefined ? [] : [`--pdeathsig=${deathSignal}`];
  return { command: 'setpriv', args: [...dying, ...asAccount, ...passing, '--', command, ...args], ids: {} };
}

let setprivAnswer: Promise<boolean> | undefined;

/** Only the setpriv of util-linux has the options; the one of busybox lacks them. */
function hasSetpriv(): Promise<boolean> {
  setprivAnswer ??= runProgram('setpriv', ['--version'], { env: SYSTEM_ENVIRONMENT }).then(
    ({ succeeded, output }) => succeeded && output.includes('util-linux'),
  );
  return setprivAnswer;
}

async function canReach(account: SystemAccount, places: Places): Promise<boolean> {
  const script = 'cd "$1" && "$2" --version';
  const launch = await launchAs('/bin/sh', ['-c', script, 'sh', places.data, places.program], { account });
  const { succeeded } = await runProgram(launch.command, launch.args, { env: SYSTEM_ENVIRONMENT, ...launch.ids });
  return succeeded;
}

async function ownerOf(folder: string): Promise<{ uid: number; gid: number } | undefined> {
  const { uid, gid } = await stat(folder);
  return uid === 0 ? undefined : { uid, gid };
}

async function findOrCreateUser(): Promise<{ uid: number; gid: number }> {
  const found = await idsOf('postgres');
  if (found !== undefined) return found;
  const env = SYSTEM_ENVIRONMENT;
  await runProgram('useradd', ['--system', '--no-create-home', '--shell', '/usr/sbin/nologin', 'postgres'], { env });
  const user = (await idsOf('postgres')) ?? (await idsOf('nobody'));
  if (user === undefined) {
    throw new StartError(
      'PostgreSQL does not run as root, and there is no account that it could use instead. Create one with ' +
        '`useradd --system postgres`, or set DATABASE_URL to a PostgreSQL of your own.',
    );
  }
  return user;
}

async function idsOf(user: string): Promise<{ uid: number; gid: number } | undefined> {
  const env = SYSTEM_ENVIRONMENT;
  const [uid, gid] = await Promise.all([
    runProgram('id', ['-u', user], { env }),
    runProgram('id', ['-g', user], { env }),
  ]);
  return uid.succeeded && gid.succeeded ? { uid: Number(uid.output), gid: Number(gid.output) } : undefined;
}
