import { useEffect, useRef } from 'preact/hooks';
import type { Schemas } from '../../api/api.js';
import { announce } from '../../parts/alerts.js';
import { formatCount } from '../../parts/amount.js';
import { Time } from '../../parts/time.js';

type Wager = Schemas['WagerWithSettlement'];

const PERCENT = 100;

/** How far the bets are where the outcome says: settled, after a correction anew, or taken back. */
export function SettlementBar({ wager }: { readonly wager: Wager }) {
  const { bets, remaining } = wager.settlement;
  // Open offers have to expire, and are among what remains, but not among the bets.
  const all = Math.max(bets, remaining);
  const done = all - remaining;
  const share = all === 0 ? 1 : done / all;
  const progress = wager.outcome === 'undecided' ? 'taken back' : 'settled';
  return (
    <>
      <progress aria-label={`Settlement of ${wager.reference}`} value={share} />
      <p class="aside">
        {formatCount(done)} of {formatCount(all)} {progress} ({Math.floor(PERCENT * share)}%)
        {wager.settling_since !== null && (
          <>
            , since <Time at={wager.settling_since} short />
          </>
        )}
      </p>
    </>
  );
}

/** While bets wait for the worker. It says when the last one has moved, and stays, so that the page does not jump then. */
export function Settlement({ wager }: { readonly wager: Wager }) {
  const isUnderWay = wager.settlement.state === 'settling';
  const wasSeenRef = useRef(false);
  if (isUnderWay) wasSeenRef.current = true;
  useEffect(() => {
    if (!isUnderWay && wasSeenRef.current) announce('The settlement is done.');
  }, [isUnderWay]);
  if (!wasSeenRef.current) return null;
  return (
    <section class="panel">
      <h2>{isUnderWay ? 'Settlement under way' : 'Settlement done'}</h2>
      <SettlementBar wager={wager} />
    </section>
  );
}
