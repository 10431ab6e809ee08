import { useEffect, useRef } from 'preact/hooks';
import type { Schemas } from '../../api/api.js';
import { announce } from '../../parts/alerts.js';
import { formatCount } from '../../parts/amount.js';
import { Time } from '../../parts/time.js';

type Wager = Schemas['WagerWithSettlement'];

const PERCENT = 100;

/** How far the settlement of a wager is; undecided again, how far it is taken back. */
export function SettlementBar({ wager }: { readonly wager: Wager }) {
  const { bets, settled, remaining } = wager.settlement;
  const done = wager.outcome === 'undecided' ? bets - settled : settled;
  const percent = bets === 0 ? 0 : Math.floor((PERCENT * done) / bets);
  return (
    <>
      <progress aria-label={`Settlement of ${wager.reference}`} max={Math.max(1, bets)} value={done} />
      <p class="aside">
        {formatCount(done)} of {formatCount(bets)} bets ({percent}%), {formatCount(remaining)} still to move
        {wager.settling_since !== null && (
          <>
            , since <Time at={wager.settling_since} short />
          </>
        )}
      </p>
    </>
  );
}

/** While bets wait for the worker. It says when the last one has moved. */
export function Settlement({ wager }: { readonly wager: Wager }) {
  const { state } = wager.settlement;
  const earlierRef = useRef(state);
  useEffect(() => {
    if (earlierRef.current === 'settling' && state !== 'settling') announce('The settlement is done.');
    earlierRef.current = state;
  }, [state]);
  if (state !== 'settling') return null;
  return (
    <section class="panel">
      <h2>Settlement under way</h2>
      <SettlementBar wager={wager} />
    </section>
  );
}
