import { LedgerError } from '#clients/typescript/errors.js';

export { LedgerError };

export const MALFORMED = 400;
export const NOT_FOUND = 404;

/** Undefined when the API refuses with this status: then there is nothing of the kind. */
export const orNothing = <Answer>(answer: Promise<Answer>, status: number): Promise<Answer | undefined> =>
  answer.catch((error: unknown) => {
    if (error instanceof LedgerError && error.status === status) return undefined;
    throw error;
  });

/** No answer came: the request may or may not have had its effect. */
export class NoAnswer extends Error {}

/** Of a request whose connection failed. A request that the page itself gave up is none. */
export function asNoAnswer(fault: unknown): never {
  if (fault instanceof DOMException && fault.name === 'AbortError') throw fault;
  throw new NoAnswer('No answer came', { cause: fault });
}
