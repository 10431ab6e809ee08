import { latestOutage, outages } from '../api/outages.js';
import { pauseAfter } from '../api/pauses.js';
import { hasEnded } from '../api/session.js';
import { notLiveSince } from '../live/liveness.js';
import { useCountdown } from '../parts/countdown.js';
import { Time } from '../parts/time.js';

/** Says once for the whole page what does not answer, and that the page does not follow the ledger any more. */
export function Band() {
  const since = notLiveSince.value;
  const left = useCountdown(pauseAfter(latestOutage.value), latestOutage.value);
  const isShown = (outages.value !== '' || since !== undefined) && !hasEnded.value;
  return (
    <div class="band" role="status" hidden={!isShown}>
      {isShown && (
        <p>
          {outages.value !== '' && `${outages.value}. `}
          {since !== undefined && (
            <>
              Not live since <Time at={since} short />: figures may be out of date, and actions are disabled.{' '}
            </>
          )}
          Reconnecting
          {/* Not said anew each second to those who listen. */}
          {left > 0 && <span aria-hidden="true"> in {left} s</span>}…
        </p>
      )}
    </div>
  );
}
