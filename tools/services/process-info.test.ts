import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from '@jest/globals';
import { waitFor } from '#testing/wait-for.js';
import { commandLine, endProcess, isRunning, processStart } from './process-info.js';

test('a running process has a start that stays, and a command line', async () => {
  const child = spawn('sleep', ['3600']);
  await once(child, 'spawn');
  const pid = child.pid ?? 0;
  const start = processStart(pid);
  expect(start).toBeDefined();
  expect(processStart(pid)).toBe(start);
  await waitFor(() => commandLine(pid) === 'sleep 3600');
  await endProcess(pid, { signal: 'SIGTERM', patienceMs: 5_000 });
  expect(processStart(pid)).toBeUndefined();
  expect(commandLine(pid)).toBe('');
});

test('a process that ignores the signal is ended by force', async () => {
  const child = spawn('sh', ['-c', 'trap "" TERM; echo ready; while :; do sleep 1; done'], { detached: true });
  await once(child.stdout, 'data');
  await endProcess(child.pid ?? 0, { signal: 'SIGTERM', patienceMs: 200 });
  expect(isRunning(child.pid ?? 0)).toBe(false);
});

test('a process that has ended without being reaped is not running', async () => {
  // The outer shell becomes a sleep, which never reaps the inner shell.
  const child = spawn('sh', ['-c', `sh -c 'echo $$' & exec sleep 3600`]);
  const [output] = await once(child.stdout, 'data');
  try {
    await waitFor(() => !isRunning(Number(output)));
  } finally {
    child.kill('SIGKILL');
  }
});
