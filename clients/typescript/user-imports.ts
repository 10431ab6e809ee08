import { LedgerError } from './errors.js';
import type { components } from './generated.js';
import { createRetryingFetch, type RetryOptions } from './retrying-fetch.js';

export type ImportUser = components['schemas']['ImportUser'];
export type ImportAnswer = components['schemas']['ImportAnswer'];

export interface UserImports {
  /**
   * Creates any number of users, and gives them money. Yields an answer for each, in their order; `line` counts from 1. An import
   * that ends with an error may be run again: it does nothing twice.
   */
  import(
    users: Iterable<ImportUser> | AsyncIterable<ImportUser>,
    options?: { readonly signal?: AbortSignal },
  ): AsyncGenerator<ImportAnswer, void, void>;
}

const PATH = '/account/users/import';
const MAX_LINES = 5_000;
const MAX_BYTES = 4 * 1_024 * 1_024;
/** The service takes up to a minute for one body. */
const TIMEOUT_MS = 75_000;
/** The time was up before the service came to this line. */
const LATE = 503;

interface ImportsOptions extends RetryOptions {
  readonly baseUrl: string;
  readonly headers: Readonly<Record<string, string>>;
}

export function createUserImports({ baseUrl, headers, ...retries }: ImportsOptions): UserImports {
  const timeoutMs = Math.max(retries.timeoutMs, TIMEOUT_MS);
  const patience = { timeoutMs, totalWaitMs: timeoutMs + retries.totalWaitMs };
  const fetchRetrying = createRetryingFetch({ ...retries, ...patience }, () => true);

  async function send(lines: readonly string[], signal: AbortSignal | undefined): Promise<ImportAnswer[]> {
    const request = new Request(baseUrl.replace(/\/$/, '') + PATH, {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'application/x-ndjson' },
      body: lines.join(''),
      ...(signal && { signal }),
    });
    const response = await fetchRetrying(request);
    const text = await response.text();
    if (!response.ok) throw new LedgerError(`POST ${PATH}`, response, answerIn(text), undefined);
    return text
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as ImportAnswer);
  }

  /** Sends late lines again, for as long as others are answered. */
  async function sendUntilDone(lines: readonly string[], signal: AbortSignal | undefined): Promise<ImportAnswer[]> {
    const answers = await send(lines, signal);
    const late = answers.filter(({ status }) => status === LATE).map(({ line }) => line);
    if (late.length === 0 || late.length === lines.length) return answers;
    const again = await sendUntilDone(
      late.map((line) => lines[line - 1] as string),
      signal,
    );
    for (const [index, line] of late.entries()) answers[line - 1] = { ...(again[index] as ImportAnswer), line };
    return answers;
  }

  return {
    async *import(users, { signal } = {}) {
      let sent = 0;
      for await (const lines of bodiesOf(users)) {
        for (const answer of await sendUntilDone(lines, signal)) yield { ...answer, line: sent + answer.line };
        sent += lines.length;
      }
    },
  };
}

/** The lines of each body. */
async function* bodiesOf(
  users: Iterable<ImportUser> | AsyncIterable<ImportUser>,
): AsyncGenerator<string[], void, void> {
  let lines: string[] = [];
  let bytes = 0;
  for await (const user of users) {
    const line = `${JSON.stringify(user)}\n`;
    const { length } = new TextEncoder().encode(line);
    if (lines.length === MAX_LINES || (lines.length > 0 && bytes + length > MAX_BYTES)) {
      yield lines;
      [lines, bytes] = [[], 0];
    }
    lines.push(line);
    bytes += length;
  }
  if (lines.length > 0) yield lines;
}

function answerIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
