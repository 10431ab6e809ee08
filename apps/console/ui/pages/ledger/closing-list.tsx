import type { Schemas } from '../../api/api.js';
import { type Resource, useResource } from '../../api/resource.js';
import { formatCount } from '../../parts/amount.js';
import { type Column, DataTable } from '../../parts/data-table.js';
import { Section } from '../../parts/section.js';
import { TimeLeft } from '../../parts/time-left.js';
import { LIST_PAUSE_MS } from './following.js';
import { WagerLink, WagerStatusTag } from './tags.js';

type ListedWager = Schemas['ListedWager'];

const MOST_SHOWN = 20;

/** Those that a time ahead will close, the nearest first. */
export const CLOSING = { closing: true, sort_by: 'closes_at', sort_direction: 'asc' } as const;

const willClose = ({ outcome, status, closes_at }: ListedWager): boolean =>
  closes_at !== null && outcome === 'undecided' && status !== 'closed';

/** The time that each wager of a list has left. At its end the list is loaded again. */
export const closesIn = ({ moment, reload }: Resource<object>): Column<ListedWager> => ({
  title: 'Closes in',
  text: (wager) =>
    moment !== undefined &&
    wager.closes_at !== null &&
    willClose(wager) && <TimeLeft until={wager.closes_at} asOf={moment.at} cameMs={moment.cameMs} onEnd={reload} />,
});

/** The wagers that close next, while there are any. */
export function ClosingList() {
  const query = { ...CLOSING, per_page: MOST_SHOWN };
  const closing = useResource(({ get }) => get('/wagers', { params: { query } }), [], {
    types: ['wager.*'],
    pauseMs: LIST_PAUSE_MS,
  });
  const { data: wagers = [], total = 0 } = closing.body ?? {};
  if (wagers.length === 0) return null;
  return (
    <Section title="Closing soon" of={closing}>
      <div class="short">
        <DataTable
          caption="Wagers that close soon, the nearest first"
          hidesCaption
          columns={[
            { title: 'Wager', text: ({ reference }) => <WagerLink reference={reference} /> },
            { title: 'Status', text: ({ status }) => <WagerStatusTag status={status} /> },
            closesIn(closing),
            { title: 'Closes at', time: ({ closes_at }) => closes_at },
          ]}
          items={wagers}
          keyOf={({ id }) => id}
          empty={null}
        />
      </div>
      {total > wagers.length && (
        <p>
          <a href="/wagers?state=closing">All {formatCount(total)} that will close</a>
        </p>
      )}
    </Section>
  );
}
