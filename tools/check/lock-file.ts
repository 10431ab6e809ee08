/** What package-lock.json says about one installed package. */
interface LockEntry {
  readonly version?: string;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly link?: boolean;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly devOptional?: boolean;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

export type LockEntries = Readonly<Record<string, LockEntry>>;

const STRONG_HASH = /^sha512-[\w+/]{86}==$/;

/**
 * Each entry has the hash of what it installs, and no download address, which would bind every clone to the registry of
 * the file's author. No entry is missing: npm omits packages of other platforms that its registry lacks, and npm 11 then
 * refuses the file.
 */
export function findLockFaults(packages: LockEntries): string[] {
  return Object.entries(packages).flatMap(([place, entry]) => {
    if (place === '') return missingFrom(packages, place, entry);
    const faults = missingFrom(packages, place, entry);
    if (entry.resolved !== undefined) faults.push(`${place} names a download address`);
    if (!STRONG_HASH.test(entry.integrity ?? ''))
      faults.push(`${place}@${entry.version} has no SHA-512 integrity hash`);
    return faults;
  });
}

function missingFrom(packages: LockEntries, place: string, { optionalDependencies = {} }: LockEntry): string[] {
  return Object.keys(optionalDependencies)
    .filter((name) => !(`node_modules/${name}` in packages || `${place}/node_modules/${name}` in packages))
    .map((name) => `${name} is missing, which ${place || 'package.json'} wants`);
}

/** The folders that `npm ci --omit=dev --omit=optional` installs. */
export const deployedPackages = (packages: LockEntries): string[] =>
  Object.entries(packages)
    .filter(([place, { dev, optional, devOptional }]) => place !== '' && !dev && !optional && !devOptional)
    .map(([place]) => place);
