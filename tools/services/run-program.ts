import { execFile } from 'node:child_process';

/** Found on every Unix; keeps a user's own PG* and LC_* variables away from the private services. */
export const SYSTEM_ENVIRONMENT = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  LC_ALL: 'C',
};

export interface CommandResult {
  readonly succeeded: boolean;
  readonly output: string;
}

export interface CommandOptions {
  readonly env?: NodeJS.ProcessEnv;
  readonly uid?: number;
  readonly gid?: number;
  readonly timeoutMs?: number;
}

/** Runs a short command to its end. One that is missing, fails or takes too long is a result, not an exception. */
export function runProgram(
  command: string,
  args: readonly string[],
  { timeoutMs = 60_000, ...options }: CommandOptions = {},
): Promise<CommandResult> {
  return new Promise((resolve) => {
    const settings = { ...options, cwd: '/', timeout: timeoutMs, maxBuffer: 16 * 1024 * 1024 };
    execFile(command, args, settings, (error, stdout, stderr) => {
      const said = `${stdout}${stderr}`.trim();
      resolve({ succeeded: error === null, output: said === '' && error !== null ? error.message : said });
    });
  });
}

/** The path of a program that the user's PATH leads to. */
export async function findProgram(name: string): Promise<string | undefined> {
  const { succeeded, output } = await runProgram('/bin/sh', ['-c', 'command -v "$1"', 'sh', name]);
  return succeeded && output.startsWith('/') ? output : undefined;
}
