import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { findComposeFaults } from './compose-file.js';
import { findContextFaults, findImageFaults, readDockerfile } from './image.js';
import { findLockFaults } from './lock-file.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');

const { packages } = JSON.parse(read('package-lock.json'));
const faults = [
  ...findLockFaults(packages).map((fault) => `package-lock.json: ${fault}`),
  ...findImageFaults(root, readDockerfile(read('Dockerfile')), packages),
  ...findContextFaults(read('.dockerignore')),
  ...findComposeFaults(read('docker-compose.yml'), read('docs/operations.md')),
];
for (const fault of faults) console.error(fault);
process.exitCode = faults.length === 0 ? 0 : 1;
