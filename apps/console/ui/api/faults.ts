import { LedgerError, MALFORMED, NoAnswer } from './errors.js';
import { textOf } from './outages.js';

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
/** The key belongs to an earlier attempt, with other values. */
const KEY_REUSED = 422;

const LOST =
  'No answer came, so it may or may not have been done. Sending it again unchanged is safe: it is the same request, and is done once.';
const LOOK_FIRST = 'It may have been done: look before you send it again.';
const EARLIER_ARRIVED =
  'The earlier attempt arrived as it was sent. Check whether it was done before you send this one.';

const FAILED = 'The console itself has failed: reload the page.';

/** The request that was refused. */
export interface Attempt {
  /** With an Idempotency-Key. Without one, another attempt is another request. */
  readonly hasKey: boolean;
  /** An earlier attempt with the key had no answer. */
  readonly isUnanswered: boolean;
}

/** The API looks at a key only when the request is well formed. */
function isFinal({ status, retryAfterSeconds }: LedgerError, { isUnanswered }: Attempt): boolean {
  if (status >= FIRST_SERVER_FAULT || PASSING.includes(status)) return false;
  if (status === MALFORMED && isUnanswered) return false;
  return !(status === CONFLICT && retryAfterSeconds !== undefined);
}

function textsOf({ status, texts }: LedgerError, { hasKey }: Attempt): readonly string[] {
  if (hasKey) return status === KEY_REUSED ? [EARLIER_ARRIVED] : texts;
  return status >= FIRST_SERVER_FAULT ? [...texts, LOOK_FIRST] : texts;
}

/** What may still come again as the same request: an earlier attempt may be without an answer. */
export const refusedAt = (atFields: SortedFaults['atFields'], general: readonly string[] = []): SortedFaults => ({
  atFields,
  general,
  retryAfterSeconds: undefined,
  isFinal: false,
});

/** The form could not look first whether there is something to ask. */
export const notSent = (error: unknown): SortedFaults => refusedAt({}, [`Nothing was sent: ${textOf(error)}`]);

/** Each text of a malformed request begins with the path of its field. */
export function sortFaults(error: unknown, fields: readonly string[], attempt: Attempt): SortedFaults {
  if (error instanceof NoAnswer) {
    return refusedAt({}, attempt.hasKey ? [LOST] : ['No answer came.', LOOK_FIRST]);
  }
  if (!(error instanceof LedgerError)) {
    reportError(error);
    return refusedAt({}, [FAILED]);
  }
  const atFields: Record<string, string[]> = {};
  const general: string[] = [];
  for (const text of textsOf(error, attempt)) {
    const path = text.split(' ', 1)[0] ?? '';
    const field = fields.find((name) => path === name || path.startsWith(`${name}[`) || path.startsWith(`${name}.`));
    if (field === undefined) general.push(text);
    else atFields[field] = [...(atFields[field] ?? []), text.slice(path.length + 1)];
  }
  return { atFields, general, retryAfterSeconds: error.retryAfterSeconds, isFinal: isFinal(error, attempt) };
}
