import { api, type Schemas } from '../../api/api.js';
import { useResource } from '../../api/resource.js';
import { formatCount } from '../../parts/amount.js';
import { Loaded } from '../../parts/loaded.js';
import { SettlementBar } from '../wager/settlement.js';
import { ABOUT_BETS } from './following.js';
import { readSettlingWagers } from './settling-wagers.js';
import { OutcomeTag, WagerLink } from './tags.js';

const MOST_SHOWN = 20;

interface SeenWager {
  readonly wager: Schemas['ListedWager'];
  readonly account: number | undefined;
}

function SettlingWager({ wager: { reference }, account }: SeenWager) {
  const query = account === undefined ? {} : { account_id: account };
  const wager = useResource(
    () => api.get('/wagers/{reference}', { params: { path: { reference }, query } }),
    [reference, account],
    { account, types: ABOUT_BETS, changedBy: (event) => event.wager?.reference === reference },
  );
  return (
    <li class="panel">
      <p>
        <WagerLink reference={reference} account={account} />{' '}
        {wager.body !== undefined && <OutcomeTag outcome={wager.body.data.outcome} />}
      </p>
      {wager.body !== undefined && <SettlementBar wager={wager.body.data} />}
    </li>
  );
}

const CHANGES = ['wager.decided', 'wager.corrected', 'wager.settled'];

/** The wagers that are being settled, with their progress. */
export function SettlingList({ account }: { readonly account: number | undefined }) {
  const settling = useResource(() => readSettlingWagers(account), [account], {
    ...{ account, types: CHANGES, changedBy: () => true },
  });
  return (
    <Loaded of={settling}>
      {({ wagers, looked, isWhole }) => (
        <>
          {wagers.length === 0 ? (
            <div class="empty">
              <p>No wager is being settled.</p>
            </div>
          ) : (
            <ul class="plain">
              {wagers.slice(0, MOST_SHOWN).map((wager) => (
                <SettlingWager key={wager.id} wager={wager} account={account} />
              ))}
            </ul>
          )}
          {wagers.length > MOST_SHOWN && <p class="aside">And {formatCount(wagers.length - MOST_SHOWN)} more.</p>}
          {!isWhole && <p class="aside">Among the {formatCount(looked)} newest wagers.</p>}
        </>
      )}
    </Loaded>
  );
}
