import { useResource } from '../api/resource.js';
import type { LedgerEvent } from '../live/shared-events.js';
import { Amount, formatCount } from '../parts/amount.js';
import { DataTable } from '../parts/data-table.js';
import { Loaded } from '../parts/loaded.js';
import { Facts } from '../parts/named.js';
import { Section } from '../parts/section.js';
import { Time } from '../parts/time.js';
import { Heading } from '../shell/heading.js';
import type { PageProps } from '../shell/page.js';
import { Actor } from './events/event-table.js';
import { EventText, UserLink } from './events/event-text.js';
import { OutcomeTag, StatusTag } from './ledger/tags.js';

const pathOf = (seq: number): string => `/events/${seq}`;

/** The events of one operation. */
function Group({ group: { first, last } }: { readonly group: LedgerEvent['group'] }) {
  if (first === last) return <>this event only</>;
  return (
    <>
      <a href={pathOf(first)}>{formatCount(first)}</a> to <a href={pathOf(last)}>{formatCount(last)}</a>
    </>
  );
}

const betFacts = (bet: NonNullable<LedgerEvent['bet']>) => ({
  Offer: (
    <>
      <Amount value={bet.requesting_amount} /> at <Amount value={bet.requesting_odds} /> of{' '}
      <UserLink id={bet.requesting_user_id} />
    </>
  ),
  Matched: bet.accepting_user_id !== null && (
    <>
      <Amount value={bet.effective_amount ?? 0} /> at <Amount value={bet.effective_odds ?? 0} /> by{' '}
      <UserLink id={bet.accepting_user_id} />
    </>
  ),
  Status: <StatusTag status={bet.offer_status} />,
  Outcome: (
    <>
      <OutcomeTag outcome={bet.override_outcome ?? bet.outcome} />
      {bet.override_outcome !== null && <span class="tag warn">override</span>}
    </>
  ),
});

function Transactions({ transactions }: { readonly transactions: NonNullable<LedgerEvent['transactions']> }) {
  return (
    <DataTable
      caption="Transactions"
      columns={[
        { title: 'Transaction', text: ({ reference }) => <code>{reference}</code> },
        { title: 'User', text: ({ user_id }) => <UserLink id={user_id} /> },
        { title: 'Type', text: ({ transaction_type }) => transaction_type },
        { title: 'Description', text: ({ description }) => <bdi>{description}</bdi> },
        { title: 'Amount', amount: ({ amount }) => amount },
        { title: 'Balance after', amount: ({ balance_after }) => balance_after },
      ]}
      items={transactions}
      keyOf={({ id }) => id}
      empty={null}
    />
  );
}

function Neighbours({ seq }: { readonly seq: number }) {
  return (
    <nav class="pager" aria-label="Neighbours">
      {seq > 1 && (
        <a class="button" href={pathOf(seq - 1)}>
          Previous
        </a>
      )}
      <a class="button" href={pathOf(seq + 1)}>
        Next
      </a>
      <a class="button" href={`/events?up_to=${seq}`}>
        Show in the list
      </a>
    </nav>
  );
}

function EventView({ event }: { readonly event: LedgerEvent }) {
  const { at, type, actor, request_id, group, bet, transactions } = event;
  return (
    <>
      <Facts
        of={{
          Type: <code>{type}</code>,
          About: <EventText event={event} />,
          Time: <Time at={at} />,
          By: <Actor actor={actor} />,
          ...(bet && betFacts(bet)),
          Operation: <Group group={group} />,
          'Request id': request_id === null ? 'none' : <code>{request_id}</code>,
        }}
      />
      {transactions !== undefined && <Transactions transactions={transactions} />}
      <Section title="JSON">
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: without it, the keyboard cannot scroll a long line */}
        <section class="scroller" tabIndex={0} aria-label="The event as JSON">
          <pre class="json">{JSON.stringify(event, null, 2)}</pre>
        </section>
      </Section>
    </>
  );
}

export function EventPage({ params: { seq = '' } }: PageProps) {
  const event = useResource(
    ({ get }) => get('/events/{seq}', { params: { path: { seq: seq as unknown as number } } }),
    [seq],
  );
  return (
    <>
      <Heading text={`Event ${seq}`}>{event.body !== undefined && <Neighbours seq={event.body.data.seq} />}</Heading>
      <Loaded of={event}>{({ data }) => <EventView event={data} />}</Loaded>
    </>
  );
}
