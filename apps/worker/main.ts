import { runProcess } from '#platform/process/run-process.js';
import { startWorker } from './compose.js';

await runProcess({ name: 'worker', env: process.env, start: startWorker });
