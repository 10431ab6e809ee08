import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

/** Where this Node.js is, and the programs of the system. */
export const pathOfThisProcess = () =>
  `${path.dirname(process.execPath)}:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin`;

/** Runs a compiled file as a process, with this environment alone. `said` grows; `ended` has all of it. */
export function startNode(file: string, args: readonly string[], env: NodeJS.ProcessEnv) {
  const child = spawn(process.execPath, [file, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const said = { output: '', errors: '' };
  child.stdout.on('data', (text) => {
    said.output += text;
  });
  child.stderr.on('data', (text) => {
    said.errors += text;
  });
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, ...said }));
  return { child, said, ended };
}
