import { usePages } from '../../api/resource.js';
import { PagedTable } from '../../parts/paged-table.js';
import { Section } from '../../parts/section.js';
import { betColumns } from '../ledger/bet-columns.js';
import { ABOUT_BETS, LIST_PAUSE_MS } from '../ledger/following.js';

/** The bets of a wager, the newest first. */
export function BetsOfWager({ reference }: { readonly reference: string }) {
  const bets = usePages(
    ({ get }, cursor) =>
      get('/bets/history', {
        params: {
          query: {
            wager_reference: [reference],
            per_page: 20,
            cursor,
            sort_by: 'created_at',
            sort_direction: 'desc',
          },
        },
      }),
    [reference],
    {
      types: ABOUT_BETS,
      changedBy: ({ wager, bet }) => bet !== undefined && wager?.reference === reference,
      pauseMs: LIST_PAUSE_MS,
    },
  );
  return (
    <Section title="Bets" of={bets}>
      <PagedTable
        of={bets}
        caption="Bets on this wager, newest first"
        hidesCaption
        columns={betColumns({ isOfWager: true })}
        keyOf={({ id }) => id}
        empty={<p>There are no bets on this wager.</p>}
      />
    </Section>
  );
}
