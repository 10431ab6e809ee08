import type { ComponentChildren } from 'preact';
import { LedgerError, NOT_FOUND } from '../api/errors.js';
import { textOf, useOutage } from '../api/outages.js';
import { pauseAfter } from '../api/pauses.js';
import type { Resource } from '../api/resource.js';
import { useCountdown } from './countdown.js';
import { Missing } from './not-found.js';
import { Time } from './time.js';

const UNAUTHORIZED = 401;

export interface LoadFaultProps {
  readonly error: unknown;
  readonly onRetry: () => void;
  /** After a fault that passes it is loaded again by itself: the button says when. */
  readonly isRetried?: boolean;
}

/** Why something could not be loaded, with another try. */
export function LoadFault({ error, onRetry, isRetried = false }: LoadFaultProps) {
  const refusal = error instanceof LedgerError ? error : undefined;
  const left = useCountdown(isRetried ? pauseAfter(error) : undefined, error);
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

/**
 * Shows a resource when it is there, and says why when it is not; of an outage the band says why. A newer load that fails
 * leaves the older state in place.
 */
export function Loaded<Body>({ of: resource, waiting = 'Loading …', children }: LoadedProps<Body>) {
  const { body, error, reload } = resource;
  const isOutage = useOutage(error);
  const status = error instanceof LedgerError ? error.status : undefined;
  if (status === NOT_FOUND) return <Missing what={textOf(error)} />;
  const isSaidElsewhere = isOutage || status === UNAUTHORIZED;
  return (
    <>
      {error !== undefined && !isSaidElsewhere && <LoadFault error={error} onRetry={reload} isRetried />}
      {body !== undefined && children(body)}
      {body === undefined && error === undefined && <p class="waiting">{waiting}</p>}
      {body === undefined && isOutage && (
        <div class="empty">
          <p>Not loaded yet.</p>
        </div>
      )}
    </>
  );
}

/** The moment of which the figures are. */
export function AsOf({ of: { moment }, text = 'As of' }: { readonly of: Resource<object>; readonly text?: string }) {
  if (moment === undefined) return null;
  return (
    <p class="as-of">
      {text} <Time at={moment.at} short />
    </p>
  );
}
