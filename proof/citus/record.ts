import { appendFileSync } from 'node:fs';

// What ran on the cluster, one line each: the tests write it where the proof says, and the proof compares it with all there is.

const written = new Set<string>();

// biome-ignore lint/style/noProcessEnv: the proof passes it to the processes of its tests
const { TEST_RECORD_FILE: file = '' } = process.env;

/** Without a file nothing is recorded. */
function note(line: string): void {
  if (file === '' || written.has(line)) return;
  written.add(line);
  appendFileSync(file, `${line}\n`);
}

export const commandLine = (command: string, args: readonly string[]): string =>
  ['command', command, ...args].join(' ');

/** Of a command that has ended with code 0. */
export const recordCommand = (command: string, args: readonly string[]): void => note(commandLine(command, args));

/** PostgreSQL's code for what it, or Citus, cannot do. */
const NOT_SUPPORTED = '0A000';
/** Of a queue whose jobs come from the outbox or from rows, or of the maintenance queue. */
const JOB_DONE = /^(?:(\S+) job|(\S+)) done$/;

export interface LogLine {
  readonly msg: string;
  readonly method?: string;
  readonly route?: string;
  readonly status?: number;
  readonly topic?: string;
  readonly job?: string;
  readonly result?: unknown;
}

/** The request, the job or the sweep that succeeded by this log line; undefined: none did. */
export function successOf({ msg, method, route, status = 0, topic, job, result }: LogLine): string | undefined {
  if (msg === 'request' || msg === 'stream') {
    return status >= 200 && status < 300 ? `route ${method} ${route}` : undefined;
  }
  if (msg === 'outbox entries relayed') return 'job sweep';
  const [, queue, name] = job === undefined ? [] : (JOB_DONE.exec(msg) ?? []);
  if (queue !== undefined) return `job ${queue} ${topic}`;
  // Housekeeping continues when a kind of rows has failed.
  return name === undefined || JSON.stringify(result).includes('"failed"') ? undefined : `job maintenance ${name}`;
}

/** A line of the API's or the worker's log. */
export function recordLogLine(text: string): void {
  if (file === '') return;
  const success = successOf(JSON.parse(text) as LogLine);
  if (success !== undefined) note(success);
  if (text.includes(NOT_SUPPORTED)) note(`fault ${text.trim()}`);
}
