import type { Schemas } from '../../api/api.js';
import { type Resource, useResource } from '../../api/resource.js';
import { Amount, formatCount, formatCountOf } from '../../parts/amount.js';
import { today } from '../../parts/days.js';
import { Loaded } from '../../parts/loaded.js';
import { Figures } from '../../parts/named.js';
import { Section } from '../../parts/section.js';
import { ABOUT_BETS } from '../ledger/following.js';
import { useMatchedToday } from './matched-today.js';

/** These figures come from many rows: they are loaded no more often. */
const PAUSE_MS = 5_000;
const MATCHED_PAUSE_MS = 2_000;
const ABOUT_MONEY = [...ABOUT_BETS, 'transaction.*'];
const always = () => true;

/** In place of a figure that is being loaded; after a fault it is tried again by itself. */
function NotYet({ error }: { readonly error: unknown }) {
  return error === undefined ? <span class="waiting">…</span> : <>not known</>;
}

/** The offers that are open, and what was matched today. */
export function Market() {
  const open = useResource(({ get }) => get('/bets/open-bets', { params: { query: { per_page: 1 } } }), [], {
    types: ABOUT_BETS,
    changedBy: always,
    pauseMs: PAUSE_MS,
  });
  const { body: matched, error } = useMatchedToday(today(), MATCHED_PAUSE_MS);
  return (
    <Section title="Market" of={open}>
      <Loaded of={open}>
        {({ total = 0, total_requesting_amount: amount = 0 }) => (
          <Figures
            of={{
              'Open offers': <a href="/bets?show=open">{formatCount(total)}</a>,
              'Open stake': <Amount value={amount} />,
              'Matched today (UTC)':
                matched === undefined ? (
                  <NotYet error={error} />
                ) : (
                  <>
                    {!matched.isWhole && <span class="aside">more than </span>}
                    <Amount value={matched.amount} />
                    <p class="aside">in {formatCountOf(matched.bets, 'bet')}</p>
                  </>
                ),
            }}
          />
        )}
      </Loaded>
    </Section>
  );
}

export type Books = Resource<Schemas['Reconciliation']>;

/** The books of the day (UTC) that has not ended. */
export function useBooks(): Books {
  const day = today();
  return useResource(({ get }) => get('/reconciliation', { params: { query: { date: day } } }), [day], {
    types: ABOUT_MONEY,
    changedBy: always,
    pauseMs: PAUSE_MS,
  });
}

/** The balances of all users, and what moved today. */
export function Money({ books }: { readonly books: Books }) {
  return (
    <Section title="Money" of={books}>
      <Loaded of={books}>
        {(figures) => (
          <Figures
            of={{
              'Balances of all users': <Amount value={figures.closing_balance} />,
              'Exposure of all users': <Amount value={figures.open_exposure ?? 0} />,
              'Funded today (UTC)': <Amount value={figures.funded} />,
              'Withdrawn today (UTC)': <Amount value={figures.withdrawn} />,
            }}
          />
        )}
      </Loaded>
    </Section>
  );
}
