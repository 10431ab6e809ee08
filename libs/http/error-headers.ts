import type { Response } from 'express';
import { setAnswerHeader } from './answer.js';
import type { CodedError } from './errors.js';

export const ERROR_HEADER = 'Ledger-Error';
export const ERROR_OPERATION_HEADER = 'Ledger-Error-Operation';

/** A header holds visible ASCII. A percent sign is encoded too: what comes back is decoded. */
const NOT_PLAIN = /[^\x21-\x7e]|%/gu;

/** Names the refusal, and the operation of a batch that is refused. */
export function setErrorHeaders(response: Response, { code, operationId }: CodedError): void {
  if (code !== undefined) setAnswerHeader(response, ERROR_HEADER, code);
  if (operationId === undefined) return;
  setAnswerHeader(response, ERROR_OPERATION_HEADER, operationId.replace(NOT_PLAIN, encodeURIComponent));
}
