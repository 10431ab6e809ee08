import { runProcess } from '#platform/process/run-process.js';
import { startApi } from './compose.js';

await runProcess({ name: 'api', env: process.env, start: startApi });
