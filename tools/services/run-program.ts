import { execFile } from 'node:child_process';

/** Without the user's PG* and LC_* variables, which would change the private services. */
export const SYSTEM_ENVIRONMENT = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  LC_ALL: 'C',
};

export interface ProgramResult {
  readonly succeeded: boolean;
  readonly output: string;
}

export interface ProgramOptions {
  readonly env?: NodeJS.ProcessEnv;
  readonly uid?: number;
  readonly gid?: number;
  readonly timeoutMs?: number;
}

/** Runs a short command to its end. A missing, failed or late command is a result, not an exception. */
export function runProgram(
  command: string,
  args: readonly string[],
  { timeoutMs = 60_000, ...options }: ProgramOptions = {},
): Promise<ProgramResult> {
  return new Promise((resolve) => {
    const settings = { ...options, cwd: '/', timeout: timeoutMs, maxBuffer: 16 * 1024 * 1024 };
    execFile(command, args, settings, (error, stdout, stderr) => {
      const said = `${stdout}${stderr}`.trim();
      resolve({ succeeded: error === null, output: said === '' && error !== null ? error.message : said });
    });
  });
}

/** Finds a program by the user's PATH. */
export async function findProgram(name: string): Promise<string | undefined> {
  const { succeeded, output } = await runProgram('/bin/sh', ['-c', 'command -v "$1"', 'sh', name]);
  return succeeded && output.startsWith('/') ? output : undefined;
}
