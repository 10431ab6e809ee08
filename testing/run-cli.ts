import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { recordCommand } from '#proof/citus/record.js';

/** Runs the real command of `apps/cli` as a process, with this environment alone. */
export async function runCli(command: string, args: readonly string[], env: Readonly<Record<string, string>>) {
  const file = fileURLToPath(new URL(`../apps/cli/${command}.js`, import.meta.url));
  const child = spawn(process.execPath, [file, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const output = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk) => {
    output.stdout += String(chunk);
  });
  child.stderr.on('data', (chunk) => {
    output.stderr += String(chunk);
  });
  const [code] = await once(child, 'close');
  if (code === 0) recordCommand(command, args);
  return { code: code as number | null, ...output };
}
