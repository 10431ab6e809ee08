import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { cp, link, lstat, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createDatabase, type TestDatabase } from '#testing/databases.js';
import { folderOf } from '../launcher/node-part.js';
import { findImageFaults, imageEntries, imageFiles, readDockerfile } from './image.js';
import { deployedPackages } from './lock-file.js';

// Assembles the image's folder as the Dockerfile says, outside the repository, and starts the product from it.

const root = fileURLToPath(new URL('../../../', import.meta.url));
const text = readFileSync(path.join(root, 'Dockerfile'), 'utf8');
const dockerfile = readDockerfile(text);
const { packages } = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8'));
const { TEST_SERVER_URL = '', TEST_REDIS_URL = '', PATH = '' } = process.env;

let folder: string;
let database: TestDatabase;
const children: ChildProcess[] = [];

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'ledger-image-'));
  for (const entry of imageEntries(dockerfile, packages)) {
    for (const file of imageFiles(root, [entry])) {
      const source = path.join(root, entry.source, path.relative(entry.target, file));
      await linkOrCopy(source, path.join(folder, file));
    }
  }
  database = await createDatabase(TEST_SERVER_URL);
});

afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  await Promise.all(children.map((child) => child.exitCode ?? child.signalCode ?? once(child, 'exit')));
  await database?.drop();
  await rm(folder, { recursive: true, force: true });
});

/** Thousands of files: a link costs a twentieth of a copy, where the temporary folder is on the same disk. */
async function linkOrCopy(source: string, target: string): Promise<void> {
  await mkdir(path.dirname(target), { recursive: true });
  await link(source, target).catch(() => cp(source, target));
}

const environment = () => ({
  PATH,
  NODE_ENV: 'production',
  PORT: '0',
  DASHBOARD_PORT: '0',
  DATABASE_URL: database.url,
  REDIS_URL: TEST_REDIS_URL,
  REDIS_PREFIX: database.name,
  SMTP_URL: 'smtp://127.0.0.1:1',
  APP_URL: 'https://bets.example',
  METRICS_TOKEN: 'a token of the metrics',
  CONSOLE_SECRET: 'the-secret-of-the-console',
});

/** The lines of the log until the part is ready. */
async function start(name: string): Promise<Record<string, unknown>[]> {
  const child = spawn(process.execPath, [`dist/apps/${folderOf(name)}/main.js`], {
    cwd: folder,
    env: environment(),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  const lines: Record<string, unknown>[] = [];
  const ready = new Promise<void>((resolve, reject) => {
    child.on('exit', () => reject(new Error(`${name} ended before it was ready`)));
    createInterface({ input: child.stdout }).on('line', (line) => {
      lines.push(JSON.parse(line));
      if (lines.at(-1)?.msg === 'ready') resolve();
    });
  });
  await ready;
  return lines;
}

const portIn = (lines: Record<string, unknown>[]) => lines.find(({ msg }) => msg === 'listening')?.port;

/** Every file with its size and the time of its last change. */
async function filesWithTimes(): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const places = entries.map((entry) => path.join(entry.parentPath, entry.name)).sort();
  return Promise.all(
    places.map(async (place) => {
      const { size, mtimeMs } = await lstat(place);
      return `${place} ${size} ${mtimeMs}`;
    }),
  );
}

describe('the image', () => {
  it('holds the product and its packages alone', () => {
    expect(findImageFaults(root, dockerfile, packages)).toEqual([]);
    const files = imageFiles(root, imageEntries(dockerfile, packages));
    const folders = new Set(files.map((file) => file.split('/')[0]));
    expect([...folders].sort()).toEqual(['dist', 'node_modules', 'package.json', 'prisma']);
    expect(files.filter((file) => /(^|\/)(tsc|prisma|esbuild|node-gyp|schema-engine-[\w.-]+)$/.test(file))).toEqual([]);
  });

  it.each([
    ['RUN npm ci --omit=dev --omit=optional --ignore-scripts', 'RUN npm ci --omit=dev', /does not "RUN npm ci/],
    ['USER 1000:1000', 'EXPOSE 1', /runs as root/],
    ['COPY --from=build /app/dist dist', 'COPY --from=build /app/build dist', /is no part of the product|is a test/],
    ['COPY prisma prisma', 'COPY testing prisma\nCOPY .npmrc .npmrc', /private to its machine/],
    ['FROM node:24.18.0-bookworm-slim\n', 'FROM node:latest\n', /names no exact version/],
  ])('would be refused with another line than "%s"', (line, other, fault) => {
    expect(text).toContain(line);
    const faults = findImageFaults(root, readDockerfile(text.replace(line, other)), packages);
    expect(faults.join('\n')).toMatch(fault);
  });

  it('would be refused with a tool among its packages', () => {
    const withTool = { ...packages, 'node_modules/typescript': { version: '1.0.0' } };
    expect(findImageFaults(root, dockerfile, withTool).join('\n')).toMatch(/typescript\/\S+ in the image is a tool/);
  });

  it('migrates and serves from its own files, and changes none of them', async () => {
    const before = await filesWithTimes();
    const migration = spawnSync(process.execPath, ['dist/apps/cli/migrate.js'], { cwd: folder, env: environment() });
    expect([migration.status, String(migration.stderr)]).toEqual([0, '']);
    expect(String(migration.stdout)).toMatch(/^Applied: /);
    const [api, dashboard, worker] = await Promise.all(['api', 'dashboard', 'worker'].map(start));
    const account = { name: 'A', email: 'a@example.com', password: 'correct horse' };
    const registered = await fetch(`http://127.0.0.1:${portIn(api ?? [])}/auth/register/account`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(account),
    });
    expect(registered.status).toBe(201);
    expect((await fetch(`http://127.0.0.1:${portIn(api ?? [])}/docs`)).status).toBe(200);
    expect((await fetch(`http://127.0.0.1:${portIn(dashboard ?? [])}/`)).status).toBe(200);
    const isOld = process.versions.node.startsWith('20.');
    const warnings = (worker ?? []).filter(({ msg }) => /gets no security fixes/.test(String(msg)));
    expect(warnings).toHaveLength(isOld ? 1 : 0);
    expect(await filesWithTimes()).toEqual(before);
  });
});

interface Component {
  readonly name: string;
  readonly version: string;
  readonly scope: string;
  readonly hashes?: readonly object[];
}

describe('the bill of materials', () => {
  it('marks the packages of the image among all packages, and has their hashes', () => {
    const { stdout } = spawnSync('npm', ['run', '--silent', 'sbom'], { cwd: root, encoding: 'utf8' });
    const { bomFormat, components } = JSON.parse(stdout) as { bomFormat: string; components: Component[] };
    expect(bomFormat).toBe('CycloneDX');
    const required = components.filter(({ scope }) => scope === 'required');
    const deployed = deployedPackages(packages).map(
      (place) => `${place.replace(/^.*node_modules\//, '')}@${packages[place].version}`,
    );
    expect(new Set(required.map(({ name, version }) => `${name}@${version}`))).toEqual(new Set(deployed));
    expect(components.filter(({ hashes = [] }) => hashes.length === 0)).toEqual([]);
  });
});
