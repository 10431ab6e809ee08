import { LedgerError, NoAnswer } from './errors.js';

/** A refusal, sorted by the place at which a form shows it. */
export interface SortedFaults {
  /** By the path of the field, like `requesting_odds`. */
  readonly atFields: Readonly<Record<string, readonly string[]>>;
  readonly general: readonly string[];
  readonly retryAfterSeconds: number | undefined;
  /** Whether the request certainly had no effect: another attempt is another request. */
  readonly isFinal: boolean;
}

const FIRST_SERVER_FAULT = 500;
/** Log in first, a conflict with a request that still runs, and too many requests: the same request may come again. */
const PASSING = [401, 429];
const CONFLICT = 409;

const LOST =
  'No answer came, so it may or may not have been done. Sending it again is safe: it is the same request, and is done once.';

const FAILED = 'The console itself has failed: reload the page.';

function isFinal({ status, retryAfterSeconds }: LedgerError): boolean {
  if (status >= FIRST_SERVER_FAULT || PASSING.includes(status)) return false;
  return !(status === CONFLICT && retryAfterSeconds !== undefined);
}

/** Each text of a malformed request begins with the path of its field. */
export function sortFaults(error: unknown, fields: readonly string[]): SortedFaults {
  if (error instanceof NoAnswer) {
    return { atFields: {}, general: [LOST], retryAfterSeconds: undefined, isFinal: false };
  }
  if (!(error instanceof LedgerError)) {
    reportError(error);
    return { atFields: {}, general: [FAILED], retryAfterSeconds: undefined, isFinal: false };
  }
  const atFields: Record<string, string[]> = {};
  const general: string[] = [];
  for (const text of error.texts) {
    const path = text.split(' ', 1)[0] ?? '';
    const field = fields.find((name) => path === name || path.startsWith(`${name}[`) || path.startsWith(`${name}.`));
    if (field === undefined) general.push(text);
    else atFields[field] = [...(atFields[field] ?? []), text.slice(path.length + 1)];
  }
  return { atFields, general, retryAfterSeconds: error.retryAfterSeconds, isFinal: isFinal(error) };
}
