import { fileURLToPath } from 'node:url';
import { recordCommand } from '#proof/citus/record.js';
import { startNode } from './node-process.js';

/** Runs the real command of `apps/cli` as a process, with this environment alone. */
export async function runCli(command: string, args: readonly string[], env: Readonly<Record<string, string>>) {
  const file = fileURLToPath(new URL(`../apps/cli/${command}.js`, import.meta.url));
  const { code, output: stdout, errors: stderr } = await startNode(file, args, env).ended;
  if (code === 0) recordCommand(command, args);
  return { code, stdout, stderr };
}
