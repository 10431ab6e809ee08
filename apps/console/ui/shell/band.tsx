import { hasEnded } from '../api/session.js';
import { notLiveSince } from '../live/liveness.js';
import { Time } from '../parts/time.js';

/** Says that the page does not follow the ledger any more. */
export function Band() {
  const since = notLiveSince.value;
  const isShown = since !== undefined && !hasEnded.value;
  return (
    <div class="band" role="status" hidden={!isShown}>
      {isShown && (
        <p>
          Not live since <Time at={since} short />. Figures may be old, and decisions are off until the connection is
          back.
        </p>
      )}
    </div>
  );
}
