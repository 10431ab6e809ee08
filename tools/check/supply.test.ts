import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { documentedVariables, findComposeFaults } from './compose-file.js';
import { findContextFaults } from './image.js';
import { findLockFaults } from './lock-file.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');

describe('package-lock.json', () => {
  const { packages } = JSON.parse(read('package-lock.json'));
  const place = 'node_modules/express';

  it('has a strong hash for every package, of every platform', () => {
    expect(Object.keys(packages).length).toBeGreaterThan(500);
    expect(findLockFaults(packages)).toEqual([]);
  });

  it.each([
    [{ integrity: undefined }, /express@\S+ has no SHA-512 integrity hash/],
    [{ integrity: `sha1-${'a'.repeat(27)}=` }, /express@\S+ has no SHA-512 integrity hash/],
    [{ resolved: 'https://registry.example/express.tgz' }, /express names a download address/],
    [{ optionalDependencies: { 'express-win32-x64': '1.0.0' } }, /express-win32-x64 is missing/],
  ])('would be refused with %j', (change, fault) => {
    const faults = findLockFaults({ ...packages, [place]: { ...packages[place], ...change } });
    expect(faults.join('\n')).toMatch(fault);
  });
});

describe('docker-compose.yml', () => {
  const compose = read('docker-compose.yml');
  const operations = read('docs/operations.md');

  it('lets each documented variable be set, pins its images and has no default password', () => {
    expect(documentedVariables(operations)).toEqual(expect.arrayContaining(['TRUST_PROXY', 'METRICS_TOKEN', 'HOST']));
    expect(findComposeFaults(compose, operations)).toEqual([]);
  });

  it.each([
    [/^ *TRUST_PROXY: .*$/m, '', 'api: TRUST_PROXY cannot be set'],
    [/axllent\/mailpit:\S+/, 'axllent/mailpit:latest', 'mail: axllent/mailpit:latest is not pinned'],
    [/postgres:18\.6/, 'postgres:18', 'postgres: postgres:18 is not pinned'],
    [/POSTGRES_PASSWORD:\?choose one/, 'POSTGRES_PASSWORD:-ledger', 'POSTGRES_PASSWORD is not required'],
    [/requirepass .*$/m, '', 'redis: it asks for no password'],
    [/read_only: true/, 'read_only: false', 'worker: its root file system is writable'],
    [/cap_drop: \[ALL\]/, 'cap_drop: []', 'dashboard: it has capabilities'],
    [/read_only: true/, 'read_only: false', 'postgres: its root file system is writable'],
    [/mem_limit: .*POSTGRES.*$/m, '', 'postgres: its memory has no limit'],
    [/pids_limit: 200/, '', 'api: its processes have no limit'],
    [
      /ledger_app:\$\{DATABASE_PASSWORD/,
      'ledger:${POSTGRES_PASSWORD',
      'worker: it has the password of the owner of the tables',
    ],
  ])('would be refused with another %s', (line, other, fault) => {
    expect(compose).toMatch(line);
    expect(findComposeFaults(compose.replace(line, other), operations)).toContain(fault);
  });
});

describe('.dockerignore', () => {
  it('keeps secrets and the history out of the build', () => {
    expect(findContextFaults(read('.dockerignore'))).toEqual([]);
    expect(findContextFaults('.git\nnode_modules')).toContain('.dockerignore lacks .env');
  });
});
