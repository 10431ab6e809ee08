import { runProcess } from '#platform/process/run-process.js';
import { startDashboard } from './compose.js';

await runProcess({ name: 'dashboard', env: process.env, start: startDashboard });
