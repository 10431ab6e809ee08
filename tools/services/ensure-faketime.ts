import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { StartError } from '#platform/errors/start-error.js';
import { findInstaller, install } from './install-package.js';

const LIBRARY = 'faketime/libfaketimeMT.so.1';
/** Debian has a folder for each architecture in the first. */
const FOLDERS = ['/usr/lib', '/usr/lib64', '/usr/local/lib'];

const PACKAGE = { apt: ['libfaketime'] } as const;

function findLibrary(): string | undefined {
  const folders = FOLDERS.filter(existsSync).flatMap((folder) => [
    folder,
    ...readdirSync(folder).map((name) => path.join(folder, name)),
  ]);
  return folders.map((folder) => path.join(folder, LIBRARY)).find(existsSync);
}

/** The path of libfaketime, which gives programs another clock; installs it where no question to the user is needed. */
export async function ensureFaketime(): Promise<string> {
  const installed = findLibrary();
  if (installed !== undefined) return installed;
  const installer = process.platform === 'linux' ? await findInstaller(PACKAGE) : undefined;
  const output = installer === undefined ? '' : await install(installer);
  const found = findLibrary();
  if (found !== undefined) return found;
  const reason = output.split('\n').slice(-8).join('\n');
  throw new StartError(
    `There is no libfaketime on this machine, and it could not be installed. On Debian: apt-get install libfaketime.\n${reason}`,
  );
}
