import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

// The typed client as a business gets it: packed with `npm pack`, and installed into an empty folder.

const root = fileURLToPath(new URL('../..', import.meta.url));
export const inRoot = (file: string): string => path.join(root, file);

const run = promisify(execFile);

/** The output of a command. When it fails, the error has all that it printed. */
export async function outputOf(command: string, args: readonly string[], cwd: string): Promise<string> {
  const ended = await run(command, args, { cwd, encoding: 'utf8', maxBuffer: 64 * 1_024 * 1_024 }).catch((error) => {
    throw new Error(`${[command, ...args].join(' ')}\n${error.stdout}${error.stderr}`);
  });
  return ended.stdout;
}

const QUIET = ['--no-audit', '--no-fund', '--loglevel=error'];

/** The dependencies of the client, which the repository has too. */
const DEPENDENCIES = ['openapi-fetch', 'openapi-typescript-helpers'];

async function pack(folder: string, into: string, ...options: string[]): Promise<string> {
  const printed = await outputOf('npm', ['pack', '--json', ...options, ...QUIET, '--pack-destination', into], folder);
  const [packed] = JSON.parse(printed.slice(printed.indexOf('[\n'))) as { readonly filename: string }[];
  return path.join(into, packed?.filename ?? '');
}

export interface PackedClient {
  readonly tarball: string;
  /** What it has become in `node_modules`. */
  readonly installed: string;
  /** Has the client in its `node_modules`, and nothing else but its dependencies. */
  readonly folder: string;
  remove(): Promise<void>;
}

/** Packs a copy of its sources, so that the build leaves nothing in the repository. */
export async function packClient(): Promise<PackedClient> {
  const place = await mkdtemp(path.join(os.tmpdir(), 'ledger-client-'));
  const sources = path.join(place, 'repository/clients/typescript');
  const folder = path.join(place, 'business');
  await cp(inRoot('clients/typescript'), sources, { recursive: true });
  await cp(inRoot('tsconfig.json'), path.join(place, 'repository/tsconfig.json'));
  await symlink(inRoot('node_modules'), path.join(place, 'repository/node_modules'));
  await mkdir(folder);
  await writeFile(path.join(folder, 'package.json'), JSON.stringify({ name: 'business', private: true }));
  const tarball = await pack(sources, place);
  const tarballs = [tarball];
  for (const name of DEPENDENCIES) tarballs.push(await pack(inRoot(`node_modules/${name}`), place, '--ignore-scripts'));
  await outputOf('npm', ['install', '--offline', '--ignore-scripts', ...QUIET, ...tarballs], folder);
  return {
    tarball,
    installed: path.join(folder, 'node_modules/@betting-ledger/client'),
    folder,
    remove: () => rm(place, { recursive: true, force: true }),
  };
}
