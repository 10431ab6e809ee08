import { setImmediate as nextTurn } from 'node:timers/promises';
import { type ImportLine, type ImportResult, TriedLine } from '#accounts/users/import-users.js';
import { answerOf } from '#http/errors.js';
import { type JsonLine, readLine } from '#http/json-lines.js';
import { Refusal } from '#platform/errors/refusal.js';
import { ValidationError } from '#platform/errors/validation-error.js';
import type { Deadline } from '#platform/process/deadline.js';
import { presentImported, presentRefused, presentTried } from './import-answer.js';

/** Lines in one transaction: it holds its locks for tens of milliseconds, and the process is never busy for longer than a few. */
const CHUNK_LINES = 50;
/** Ordinary lines are shorter. */
const CHUNK_BYTES = 64 * 1_024;

export interface ImportRun {
  readonly deadline: Deadline;
  /** Throws its faults. */
  parse(value: unknown): ImportLine;
  /** Throws when the caller may not go on. */
  prove(): Promise<void>;
  run(lines: readonly ImportLine[]): Promise<readonly ImportResult[]>;
  /** Of a chunk behind one that is done. */
  onFailed(error: unknown): void;
}

/** It can be run, or is refused before. */
interface ReadLine {
  readonly number: number;
  readonly read: ImportLine | Error;
}

/**
 * Runs chunk by chunk, and returns the answer. It refuses the lines that are left when the time is up, when the caller's
 * credential has ended, or when a chunk fails. The answer keeps the lines of what is done.
 */
export async function runImport(lines: readonly JsonLine[], given: ImportRun): Promise<string> {
  const references = new Map<string, number>();
  let answer = '';
  let end: Error | undefined;
  for (const chunk of chunksOf(lines)) {
    const isFirst = answer === '';
    end ??= await endBefore(given, isFirst);
    const done = end ?? (await chunkAnswer(readChunk(chunk, given.parse, references), given.run).catch(asError));
    if (typeof done === 'string') answer += done;
    else if (isFirst) throw done;
    else {
      if (end === undefined) given.onFailed(done);
      answer += endedAnswer(chunk, end ?? new Refusal('outcome-unknown'));
      end ??= new Refusal('overloaded');
    }
    // Other requests come in between.
    await nextTurn();
  }
  return answer;
}

const asError = (error: Error): Error => error;

/** Why no other chunk may begin; undefined: one may. The credential was proved before the first one. */
async function endBefore({ deadline, prove }: ImportRun, isFirst: boolean): Promise<Error | undefined> {
  if (deadline.isGone() || performance.now() >= deadline.at) return new Refusal('overloaded');
  if (isFirst) return undefined;
  return prove().then(
    () => undefined,
    (error: Error) => (answerOf(error) === undefined ? new Refusal('overloaded') : error),
  );
}

function* chunksOf(lines: readonly JsonLine[]): Generator<readonly JsonLine[], void, void> {
  let chunk: JsonLine[] = [];
  let bytes = 0;
  for (const line of lines) {
    if (chunk.length === CHUNK_LINES || (chunk.length > 0 && bytes + line.bytes.length > CHUNK_BYTES)) {
      yield chunk;
      [chunk, bytes] = [[], 0];
    }
    chunk.push(line);
    bytes += line.bytes.length;
  }
  if (chunk.length > 0) yield chunk;
}

const endedAnswer = (chunk: readonly JsonLine[], end: Error): string =>
  chunk.map(({ number }) => textOf(presentRefused(number, end))).join('');

const textOf = (answer: object | undefined): string => `${JSON.stringify(answer)}\n`;

function readChunk(
  chunk: readonly JsonLine[],
  parse: ImportRun['parse'],
  references: Map<string, number>,
): readonly ReadLine[] {
  return chunk.map((given) => {
    const { number } = given;
    try {
      const line = parse(readLine(given));
      const { reference } = line.user;
      const before = references.get(reference);
      if (before !== undefined) throw new ValidationError([`reference must not repeat that of line ${before}`]);
      references.set(reference, number);
      return { number, read: line };
    } catch (error) {
      return { number, read: error as Error };
    }
  });
}

async function chunkAnswer(chunk: readonly ReadLine[], run: ImportRun['run']): Promise<string> {
  const runnable = chunk.flatMap(({ read }) => (read instanceof Error ? [] : read));
  const results = runnable.length === 0 ? [] : await run(runnable);
  const resultOf = new Map(runnable.map((line, index) => [line, results[index] as ImportResult]));
  return chunk.map(({ number, read }) => answerTo(number, read instanceof Error ? read : resultOf.get(read))).join('');
}

function answerTo(number: number, result: ImportResult | Error | undefined): string {
  if (result === undefined) throw new Error('a line of an import has no result');
  if (result instanceof TriedLine) return textOf(presentTried(number, result));
  const answer = result instanceof Error ? presentRefused(number, result) : presentImported(number, result);
  if (answer === undefined) throw result;
  return textOf(answer);
}
