import { useSignal } from '@preact/signals';
import { api } from '../../api/api.js';
import { useResource } from '../../api/resource.js';
import type { LedgerEvent } from '../../live/shared-events.js';
import { PagedList } from '../../parts/paged-list.js';
import { Section } from '../../parts/section.js';
import { BetTable } from '../ledger/bet-table.js';
import { ABOUT_BETS, LIST_PAUSE_MS } from '../ledger/following.js';

export interface BetsOfWagerProps {
  readonly reference: string;
  readonly account: number | undefined;
}

/** The bets of a wager, the newest first. */
export function BetsOfWager({ reference, account }: BetsOfWagerProps) {
  const cursor = useSignal('');
  const changedBy = ({ wager, bet }: LedgerEvent) => bet !== undefined && wager?.reference === reference;
  const bets = useResource(
    () =>
      api.get('/bets/history', {
        params: {
          query: {
            wager_references: [reference],
            per_page: 20,
            cursor: cursor.value,
            sort_by: 'created_at',
            sort_direction: 'desc',
            ...(account !== undefined && { account_ids: [account] }),
          },
        },
      }),
    [reference, account, cursor.value],
    { account, types: ABOUT_BETS, changedBy, pauseMs: LIST_PAUSE_MS },
  );
  return (
    <Section title="Bets" of={bets}>
      <PagedList of={bets} cursor={cursor}>
        {(items) => (
          <BetTable
            caption="Bets on this wager, newest first"
            items={items}
            account={account}
            isOfWager
            empty={<p>There are no bets on this wager.</p>}
          />
        )}
      </PagedList>
    </Section>
  );
}
