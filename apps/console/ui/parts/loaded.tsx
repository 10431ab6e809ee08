import type { ComponentChildren } from 'preact';
import { LedgerError, NoAnswer } from '../api/errors.js';
import type { Resource } from '../api/resource.js';
import { useCountdown } from './countdown.js';
import { Missing } from './not-found.js';
import { Time } from './time.js';

const NOT_FOUND = 404;
const UNAUTHORIZED = 401;
const FIRST_SERVER_FAULT = 500;
/** A fault that passes may come without a time: then a page tries again so much later. */
const USUAL_PAUSE_SECONDS = 5;

function textOf(error: unknown): string {
  if (error instanceof LedgerError) return error.texts.join('; ');
  if (error instanceof NoAnswer) return 'The console does not answer.';
  return String(error);
}

/** The seconds until another try by itself; undefined for a refusal that stays. */
function pauseAfter(error: unknown): number | undefined {
  if (error instanceof NoAnswer) return USUAL_PAUSE_SECONDS;
  if (!(error instanceof LedgerError)) return undefined;
  return error.retryAfterSeconds ?? (error.status >= FIRST_SERVER_FAULT ? USUAL_PAUSE_SECONDS : undefined);
}

/** Why something could not be loaded, with another try: by itself when the fault passes, and at once by hand otherwise. */
export function LoadFault({ error, onRetry }: { readonly error: unknown; readonly onRetry: () => void }) {
  const refusal = error instanceof LedgerError ? error : undefined;
  const left = useCountdown(pauseAfter(error), error, onRetry);
  return (
    <div class="fault" role="alert">
      <p>{textOf(error)}</p>
      {refusal?.requestId !== undefined && (
        <p class="aside">
          Request <code>{refusal.requestId}</code>
        </p>
      )}
      <button type="button" onClick={onRetry} disabled={left > 0}>
        {left > 0 ? `Trying again in ${left} s` : 'Try again'}
      </button>
    </div>
  );
}

export interface LoadedProps<Body> {
  readonly of: Resource<Body>;
  /** Shown until the first answer. */
  readonly waiting?: string;
  readonly children: (body: Body) => ComponentChildren;
}

/** Shows a resource when it is there, and says why when it is not. A refused newer load leaves the older state in place. */
export function Loaded<Body>({ of: resource, waiting = 'Loading …', children }: LoadedProps<Body>) {
  const { body, error, reload } = resource;
  const status = error instanceof LedgerError ? error.status : undefined;
  if (status === NOT_FOUND) return <Missing what={textOf(error)} />;
  const isLoggedOut = status === UNAUTHORIZED;
  return (
    <>
      {error !== undefined && !isLoggedOut && <LoadFault error={error} onRetry={reload} />}
      {body !== undefined && children(body)}
      {body === undefined && error === undefined && <p class="waiting">{waiting}</p>}
    </>
  );
}

/** The moment of which the figures are. */
export function AsOf({ of: { moment } }: { readonly of: Resource<object> }) {
  if (moment === undefined) return null;
  return (
    <p class="as-of">
      As of <Time at={moment.at} short />
    </p>
  );
}
