import { useEffect } from 'preact/hooks';
import type { Schemas } from '../../api/api.js';
import { mayDo } from '../../api/session.js';
import { viewedAccount } from '../../api/viewed-account.js';
import { isLive } from '../../live/liveness.js';
import { useDialog } from '../../parts/actions.js';
import { areKeysOn, useKeys } from '../../parts/keys.js';
import { CancelOffers, loadDialogs, TradeDialog } from '../later-dialogs.js';

/** Trades at any odds. */
const KEY = 't';

type Wager = Pick<Schemas['ListedWager'], 'reference' | 'outcome' | 'status'>;

/** What a trader of the business does beside the book: nobody else sees it. */
export function useTrading({ reference, outcome, status }: Wager) {
  const isTrader = viewedAccount.value === undefined && outcome === 'undecided' && mayDo('trader');
  const mayTrade = isTrader && status === 'open' && isLive.value;
  const trading = useDialog<number | undefined>((odds, close) => (
    <TradeDialog wager={reference} odds={odds} onClose={close} />
  ));
  const canceling = useDialog<boolean>((isClosed, close) => (
    <CancelOffers wager={reference} isClosed={isClosed} onClose={close} />
  ));
  useEffect(() => {
    if (isTrader) loadDialogs().catch(() => undefined);
  }, [isTrader]);
  useKeys((key) => {
    if (key !== KEY || !mayTrade) return false;
    trading.open(undefined);
    return true;
  });
  const actions = isTrader && (
    <div class="actions">
      <button
        type="button"
        disabled={!mayTrade}
        aria-keyshortcuts={areKeysOn.value ? KEY : undefined}
        onClick={() => trading.open(undefined)}
      >
        Trade …
      </button>
      <button type="button" disabled={!isLive.value} onClick={() => canceling.open(status === 'closed')}>
        Cancel offers …
      </button>
      {mayTrade && <span class="hint">A click or Enter on a level trades at its odds; ↑ and ↓ move.</span>}
    </div>
  );
  return {
    onTrade: mayTrade ? trading.open : undefined,
    actions: (
      <>
        {actions}
        {trading.dialog}
        {canceling.dialog}
      </>
    ),
  };
}
