import { setTimeout as delay } from 'node:timers/promises';
import type { SeededRandom } from '#tools/shared/seeded-random.js';
import type { Answer, Operation } from '../history.js';

// Sends a request until it has a final answer, as a careful client does.

export interface Progress {
  requests: number;
  answered: number;
  retries: number;
  effects: number;
}

export interface SenderOptions {
  readonly apiUrls: readonly string[];
  /** Chooses the API of each request and the waits between retries. */
  readonly chance: SeededRandom;
  readonly finishing: AbortSignal;
  readonly progress: Progress;
}

/** For one try including its answer. */
const TRY_MS = 10_000;
const FIRST_WAIT_MS = 50;
const LONGEST_WAIT_MS = 2_000;
/** No faults are left when the storm finishes: a request without an answer for this long counts as lost. */
const PATIENCE_MS = 60_000;
const NO_ANSWER = 0;

interface Try {
  readonly calledAt: number;
  readonly status: number;
  readonly answer?: Answer;
  readonly retryAfterMs?: number;
}

export class Sender {
  readonly #options: SenderOptions;
  #finishingSince = Number.POSITIVE_INFINITY;

  constructor(options: SenderOptions) {
    this.#options = options;
  }

  /** Retries until a final answer, which it adds to the operation, or until the time limit after the storm. */
  async send(operation: Operation, token: string | undefined, api = this.#anyApi()): Promise<void> {
    const { chance, progress } = this.#options;
    const isRead = operation.request.method === 'GET';
    for (let [tries, at] = [1, api]; ; tries += 1, at += 1) {
      const result = await this.#try(operation, token, at);
      operation.tries.push(result.status);
      if (result.answer !== undefined) {
        operation.answers.push(result.answer);
        operation.answeredAt ??= performance.now();
        if (isRead) operation.calledAt = result.calledAt;
        progress.answered += 1;
        return;
      }
      if (this.#isTooLate()) return;
      progress.retries += 1;
      const usualMs = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (tries - 1));
      const askedMs = Math.min(LONGEST_WAIT_MS, result.retryAfterMs ?? 0);
      await delay(Math.max(usualMs, askedMs) * (0.5 + chance.below(100) / 100));
    }
  }

  /** Sends it through two APIs at once. */
  async sendTwice(operation: Operation, token: string | undefined): Promise<void> {
    const api = this.#anyApi();
    await Promise.all([this.send(operation, token, api), this.send(operation, token, api + 1)]);
  }

  #isTooLate(): boolean {
    const now = performance.now();
    if (this.#options.finishing.aborted) this.#finishingSince = Math.min(this.#finishingSince, now);
    return now > this.#finishingSince + PATIENCE_MS;
  }

  #anyApi(): number {
    return this.#options.chance.below(this.#options.apiUrls.length);
  }

  async #try({ request, requestId, key }: Operation, token: string | undefined, api: number): Promise<Try> {
    const { apiUrls, progress } = this.#options;
    progress.requests += 1;
    const calledAt = performance.now();
    try {
      const response = await fetch(`${apiUrls[api % apiUrls.length]}${request.path}`, {
        method: request.method,
        headers: {
          'X-Request-Id': requestId,
          ...(token !== undefined && { Authorization: `Bearer ${token}` }),
          ...(key !== undefined && { 'Idempotency-Key': key }),
          ...(request.body !== undefined && { 'Content-Type': 'application/json' }),
        },
        body: request.body === undefined ? null : JSON.stringify(request.body),
        signal: AbortSignal.timeout(TRY_MS),
      });
      const body: unknown = JSON.parse(await response.text());
      const { status } = response;
      const retryAfter = response.headers.get('Retry-After');
      const waiting = retryAfter === null ? {} : { retryAfterMs: 1_000 * Number(retryAfter) };
      if (isTemporary(status, retryAfter !== null)) return { calledAt, status, ...waiting };
      const asOf = response.headers.get('Ledger-As-Of');
      return { calledAt, status, answer: { status, body, ...(asOf !== null && { asOf }) } };
    } catch {
      return { calledAt, status: NO_ANSWER };
    }
  }
}

/** The API is overloaded, or unavailable, or still busy with the first request of this key. */
const isTemporary = (status: number, hasRetryAfter: boolean): boolean =>
  status === 429 || status === 503 || (status === 409 && hasRetryAfter);
