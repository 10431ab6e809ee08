import { useSignal } from '@preact/signals';
import { api, type Schemas } from '../../api/api.js';
import { useResource } from '../../api/resource.js';
import { concernsUser } from '../../live/concerns.js';
import { BarChart } from '../../parts/bar-chart.js';
import { Loaded } from '../../parts/loaded.js';
import type { PagedResource } from '../../parts/paged-list.js';
import { Pager } from '../../parts/pager.js';
import { Section } from '../../parts/section.js';
import { LIST_PAUSE_MS } from '../ledger/following.js';
import { wagerAddress } from '../ledger/tags.js';

const PER_PAGE = 25;

export function usePositions(userId: number): PagedResource<Schemas['PositionPage']> {
  const cursor = useSignal('');
  const resource = useResource(
    () =>
      api.get('/account/user/{userId}/positions', {
        params: { path: { userId }, query: { per_page: PER_PAGE, cursor: cursor.value } },
      }),
    [userId, cursor.value],
    { pauseMs: LIST_PAUSE_MS, changedBy: (event) => concernsUser(event, userId) },
  );
  return { resource, cursor };
}

/** What each wager can still cost the user. */
export function Exposure({ positions }: { readonly positions: PagedResource<Schemas['PositionPage']> }) {
  return (
    <Section title="Exposure by wager">
      <Loaded of={positions.resource}>
        {({ data, next, previous }) =>
          data.length === 0 ? (
            <p class="empty">No open bet: nothing is at risk.</p>
          ) : (
            <>
              <BarChart
                title="Largest possible loss of each wager"
                of="Wager"
                unit="Exposure"
                bars={data.map(({ wager_reference, exposure }) => ({
                  label: wager_reference,
                  value: exposure,
                  href: wagerAddress({ reference: wager_reference }),
                }))}
              />
              <Pager
                page={{ next, previous }}
                onMove={(to) => {
                  positions.cursor.value = to;
                }}
              />
            </>
          )
        }
      </Loaded>
    </Section>
  );
}
