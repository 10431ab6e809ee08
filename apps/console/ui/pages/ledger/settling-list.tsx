import { useResource } from '../../api/resource.js';
import { formatCount } from '../../parts/amount.js';
import { Loaded } from '../../parts/loaded.js';
import { SettlementBar } from '../wager/settlement.js';
import { ABOUT_BETS } from './following.js';
import { OutcomeTag, WagerLink } from './tags.js';

const MOST_SHOWN = 20;

function SettlingWager({ reference }: { readonly reference: string }) {
  const wager = useResource(({ get }) => get('/wagers/{reference}', { params: { path: { reference } } }), [reference], {
    types: ABOUT_BETS,
    changedBy: (event) => event.wager?.reference === reference,
  });
  return (
    <li class="panel">
      <p>
        <WagerLink reference={reference} />{' '}
        {wager.body !== undefined && <OutcomeTag outcome={wager.body.data.outcome} />}
      </p>
      {wager.body !== undefined && <SettlementBar wager={wager.body.data} />}
    </li>
  );
}

const CHANGES = ['wager.decided', 'wager.corrected', 'wager.settled'];

/** The wagers that are being settled, the newest first, with their progress. */
export function SettlingList() {
  const query = {
    settling: true,
    per_page: MOST_SHOWN,
    sort_direction: 'desc' as const,
  };
  const settling = useResource(({ get }) => get('/wagers', { params: { query } }), [], {
    types: CHANGES,
  });
  return (
    <Loaded of={settling}>
      {({ data: wagers, total = 0 }) => (
        <>
          {wagers.length === 0 ? (
            <div class="empty">
              <p>No wager is being settled.</p>
            </div>
          ) : (
            <ul class="plain">
              {wagers.map(({ id, reference }) => (
                <SettlingWager key={id} reference={reference} />
              ))}
            </ul>
          )}
          {total > wagers.length && <p class="aside">And {formatCount(total - wagers.length)} more.</p>}
        </>
      )}
    </Loaded>
  );
}
