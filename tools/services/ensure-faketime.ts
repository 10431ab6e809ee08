import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { StartError } from '#platform/errors/start-error.js';
import { ensure } from './install-package.js';

const LIBRARY = 'faketime/libfaketimeMT.so.1';
/** Debian has a folder for each architecture in the first. */
const FOLDERS = ['/usr/lib', '/usr/lib64', '/usr/local/lib'];

const PACKAGE = { apt: ['libfaketime'] } as const;

async function findLibrary(): Promise<string | undefined> {
  const folders = FOLDERS.filter(existsSync).flatMap((folder) => [
    folder,
    ...readdirSync(folder).map((name) => path.join(folder, name)),
  ]);
  return folders.map((folder) => path.join(folder, LIBRARY)).find(existsSync);
}

/** The path of libfaketime, which gives programs another clock; installs it where no question to the user is needed. */
export async function ensureFaketime(): Promise<string> {
  const { found, reason = '' } = await ensure(PACKAGE, findLibrary);
  if (found !== undefined) return found;
  throw new StartError(
    `There is no libfaketime on this machine, and it could not be installed. On Debian: apt-get install libfaketime.\n${reason}`,
  );
}
