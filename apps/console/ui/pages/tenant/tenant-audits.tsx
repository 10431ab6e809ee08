import type { Reads } from '../../api/api.js';
import { useResource } from '../../api/resource.js';
import { DataTable } from '../../parts/data-table.js';
import { daysLater, today } from '../../parts/days.js';
import { addressWith } from '../../parts/filters.js';
import { Loaded } from '../../parts/loaded.js';
import { Section } from '../../parts/section.js';
import { Day, Time } from '../../parts/time.js';
import { Verdict } from '../reconciliation.js';

const DAYS = 7;

async function readDays(accountId: number, { get }: Reads) {
  const newest = today();
  const days = await Promise.all(
    Array.from({ length: DAYS }, (_, index) =>
      get('/reconciliation', { params: { query: { date: daysLater(newest, -index), account_id: accountId } } }),
    ),
  );
  return { days };
}

/** The last days of an account, with what the nightly audits have found. */
export function TenantAudits({ accountId }: { readonly accountId: number }) {
  const audits = useResource((reads) => readDays(accountId, reads), [accountId]);
  return (
    <Section title="Audits" of={audits}>
      <Loaded of={audits}>
        {({ days }) => (
          <DataTable
            caption="The last days (UTC)"
            columns={[
              {
                title: 'Day',
                text: ({ date }) => (
                  <a href={addressWith('/reconciliation', { account: String(accountId), date })}>
                    <Day day={date} />
                  </a>
                ),
              },
              { title: 'Verdict', text: ({ audit }) => <Verdict audit={audit} /> },
              { title: 'Audited', text: ({ audit }) => audit !== null && <Time at={audit.audited_at} /> },
              { title: 'Transactions', count: ({ transactions }) => transactions },
              { title: 'Closing balance', amount: ({ closing_balance }) => closing_balance },
            ]}
            items={days}
            keyOf={({ date }) => date}
            empty={null}
          />
        )}
      </Loaded>
    </Section>
  );
}
