// `npm run api`, `npm run worker` and `npm run dashboard` may start at the same time on a fresh clone: one of them installs
// and builds, the others wait.

import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

const POLL_MS = 100;

/** Runs `work` while this process alone holds the lock. The lock of a dead process is ignored. */
export async function withLock(/** @type {string} */ file, /** @type {() => void} */ work) {
  for (let tries = 0; !takeLock(file); tries += 1) {
    if (tries === 1) console.error('Waiting for another command, which installs or builds …');
    const holder = readHolder(file);
    await delay(POLL_MS);
    if (!isAlive(holder) && readHolder(file) === holder) rmSync(file, { force: true });
  }
  try {
    work();
  } finally {
    rmSync(file, { force: true });
  }
}

function takeLock(/** @type {string} */ file) {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
}

function readHolder(/** @type {string} */ file) {
  try {
    return Number(readFileSync(file, 'utf8'));
  } catch {
    return 0;
  }
}

function isAlive(/** @type {number} */ pid) {
  try {
    return pid > 0 && process.kill(pid, 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
}
