import { allRejections } from '#core/rejection.js';
import { type RefusalKind, refusals } from '#platform/errors/refusal.js';
import { advices, type RetryAdvice } from './error-advice.js';
import { type ErrorCode, refusalStatus } from './errors.js';
import { httpRefusals } from './http-refusals.js';

/** A refusal as callers meet it. The documentation, the OpenAPI document and the types of the client are made from these. */
export interface KnownError {
  readonly code: ErrorCode;
  readonly status: number;
  /** With `…` for what differs. */
  readonly text: string;
  readonly advice: string;
  readonly retry: RetryAdvice;
}

const statusAndText = new Map<string, readonly [status: number, text: string]>([
  ...Object.entries(httpRefusals),
  ...Object.entries(refusals).map(([code, [kind, text]]) => [code, [refusalStatus[kind], text]] as const),
  ...allRejections().map(({ code, kind, text }) => [code, [refusalStatus[kind as RefusalKind], text]] as const),
]);

/** By status, then by code. */
export const errorTable: readonly KnownError[] = [...statusAndText]
  .map(([name, [status, text]]): KnownError => {
    const code = name as ErrorCode;
    const [retry, advice] = advices[code];
    return { code, status, text, advice, retry };
  })
  .sort((one, other) => one.status - other.status || (one.code < other.code ? -1 : 1));

export const errorCodes = errorTable.map(({ code }) => code);
