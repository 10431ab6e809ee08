export { LedgerError } from '#clients/typescript/errors.js';

/** No answer came: the request may or may not have had its effect. */
export class NoAnswer extends Error {}

/** Of a request whose connection failed. A request that the page itself gave up is none. */
export function asNoAnswer(fault: unknown): never {
  if (fault instanceof DOMException && fault.name === 'AbortError') throw fault;
  throw new NoAnswer('No answer came', { cause: fault });
}
