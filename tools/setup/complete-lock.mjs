// Adds the optional packages of other platforms to package-lock.json: `npm install` omits those that its registry lacks,
// and npm 11 refuses a lock file without them. Run it last, after a change of dependencies.

import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const file = path.join(fileURLToPath(new URL('../..', import.meta.url)), 'package-lock.json');
const systems = ['android', 'darwin', 'linux', 'win32', 'freebsd', 'openharmony'];
const processors = /(arm64|x64|arm|ia32|ppc64|riscv64|s390x|loong64)(?=$|-)/;

/** Reads the platform from the name of a package: `…-linux-x64-musl`. */
function platformOf(/** @type {string} */ name) {
  const tail = name.split('/').at(-1) ?? '';
  const os = systems.find((system) => tail.includes(system));
  const cpu = processors.exec(tail)?.[1];
  if (os === undefined || cpu === undefined) throw new Error(`${name} names no platform: add it by hand.`);
  if (/eabihf/.test(tail)) return { cpu: [cpu], os: [os] };
  const libc = tail.includes('musl') ? ['musl'] : tail.includes('-gnu') ? ['glibc'] : undefined;
  return { cpu: [cpu], os: [os], ...(libc && { libc }) };
}

const lock = JSON.parse(readFileSync(file, 'utf8'));
const { packages } = lock;
for (const [place, entry] of Object.entries(packages)) {
  for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
    const isThere = packages[`node_modules/${name}`] ?? packages[`${place}/node_modules/${name}`];
    if (isThere !== undefined) continue;
    const { dev, license, engines } = entry;
    const shared = { ...(dev && { dev }), ...(license && { license }), ...(engines && { engines }) };
    packages[`node_modules/${name}`] = { version, ...shared, ...platformOf(name), optional: true };
    console.log(`${name}@${version}`);
  }
}
const sorted = Object.entries(packages).sort(([one], [other]) => one.localeCompare(other, 'en'));
writeFileSync(file, `${JSON.stringify({ ...lock, packages: Object.fromEntries(sorted) }, null, 2)}\n`);
