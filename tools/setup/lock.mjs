// `npm run api`, `npm run worker` and `npm run dashboard` may start at the same time on a fresh clone: one of them installs
// and builds, the others wait.

import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

const POLL_MS = 100;

/** Runs `work` while this process alone holds the lock. The lock of a dead process is ignored. */
export async function withLock(/** @type {string} */ file, /** @type {() => void} */ work) {
  let hasReported = false;
  while (!takeLock(file)) {
    const holder = readHolder(file);
    if (holder === undefined || !isAlive(holder)) {
      // The file is unreadable while it is written: read it again before deleting it.
      await delay(POLL_MS);
      if (readHolder(file) === holder) rmSync(file, { force: true });
      continue;
    }
    if (!hasReported) console.error(`Waiting for process ${holder}, which installs or builds …`);
    hasReported = true;
    await delay(POLL_MS);
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
    return undefined;
  }
}

function isAlive(/** @type {number} */ pid) {
  if (!(pid > 0)) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
  try {
    // A zombie accepts signals, but has ended.
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return true; // no /proc on this system
  }
}
