import os from 'node:os';
import { parentPort } from 'node:worker_threads';
import { type HashingTask, hashNow } from './hashing.js';

// The thread that hashes the passwords of a process, one at a time. Its priority is low, so that requests for bets, Redis
// and PostgreSQL have the processors first. On Linux the call lowers this thread alone; elsewhere it would lower the
// whole process.

/** Two thirds of the weight of a usual thread: enough that logins come through on a machine that bets keep busy. */
const NICE = 2;

if (process.platform === 'linux') os.setPriority(NICE);
parentPort?.on('message', (task: HashingTask) => parentPort?.postMessage(hashNow(task)));
