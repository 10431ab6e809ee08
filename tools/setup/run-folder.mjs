import { accessSync, constants, mkdtempSync, readdirSync, rmSync, statfsSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Linux has this file system in memory. */
const IN_MEMORY = '/dev/shm';
/** The files of `npm test` come to a sixteenth. */
const ROOM_BYTES = 4 * 1024 ** 3;
const PREFIX = 'ledger-tests-';
const DAY_MS = 86_400_000;

/** Makes the folder for all files of a test run. */
export function makeRunFolder(place = placeOf(process.env, roomInMemory())) {
  removeOld(place);
  return mkdtempSync(path.join(place, PREFIX));
}

/**
 * TMPDIR; without one, memory where there is room: each test file makes a database of several hundred files, which takes a disk
 * half a second.
 */
export function placeOf(/** @type {{ TMPDIR?: string | undefined }} */ { TMPDIR }, /** @type {number} */ roomInMemory) {
  return TMPDIR === undefined && roomInMemory >= ROOM_BYTES ? IN_MEMORY : tmpdir();
}

/** 0 where there is no such file system, or none that this user may write to. */
function roomInMemory() {
  try {
    accessSync(IN_MEMORY, constants.W_OK);
    const { bavail, bsize } = statfsSync(IN_MEMORY);
    return Math.min(bavail * bsize, process.availableMemory());
  } catch {
    return 0;
  }
}

/** What runs left that were killed. Every test file makes folders, so that of a run does not get so old. */
function removeOld(/** @type {string} */ place) {
  for (const name of readdirSync(place)) {
    const folder = path.join(place, name);
    const madeAt = name.startsWith(PREFIX) ? statSync(folder, { throwIfNoEntry: false })?.mtimeMs : undefined;
    if (madeAt === undefined || Date.now() - madeAt < DAY_MS) continue;
    try {
      rmSync(folder, { recursive: true, force: true });
    } catch {
      // It belongs to another user.
    }
  }
}
