import type { Reads, Schemas } from '../api/api.js';
import { useResource } from '../api/resource.js';
import { viewedAccount } from '../api/viewed-account.js';
import { Amount, exactly, formatCount, formatCountOf } from '../parts/amount.js';
import { type Column, DataTable } from '../parts/data-table.js';
import { daysLater, today } from '../parts/days.js';
import { DownloadCsv } from '../parts/download-csv.js';
import { addressWith, Filters, moveTo, type Query } from '../parts/filters.js';
import { Loaded } from '../parts/loaded.js';
import { Facts } from '../parts/named.js';
import { Pager } from '../parts/pager.js';
import { Section } from '../parts/section.js';
import { formatDay, Time } from '../parts/time.js';
import { Heading } from '../shell/heading.js';
import type { PageProps } from '../shell/page.js';
import { LIST_PAUSE_MS } from './ledger/following.js';
import { UserLink } from './ledger/tags.js';

type Day = Schemas['Reconciliation'];

const PATH = '/reconciliation';
const FILTERS = [{ name: 'date', label: 'Day (UTC)', type: 'date' }] as const;

/** What the audit of the night after the day has found. */
export function Verdict({ audit }: { readonly audit: Day['audit'] }) {
  if (audit === null) return <span class="tag">not audited yet</span>;
  if (audit.verdict === 'balanced') return <span class="tag good">balanced</span>;
  return <span class="tag bad">differs: {formatCountOf(audit.failed_checks, 'check')} failed</span>;
}

/** The balance before, what moved, and the balance after: they must add up. */
function Sum({ day }: { readonly day: Day }) {
  const { opening_balance, funded, withdrawn, bet_credits, bet_debits, corrected = 0, closing_balance } = day;
  const rows = [
    ['Opening balance', opening_balance],
    ['+ funded', funded],
    ['\u2212 withdrawn', withdrawn],
    ['+ bet credits, before corrections', bet_credits],
    ['\u2212 bet debits, before corrections', bet_debits],
    ...(corrected === 0 ? [] : [['\u00b1 corrected', corrected] as const]),
    ['= closing balance', closing_balance],
  ] as const;
  const sum = exactly(opening_balance + funded - withdrawn + bet_credits - bet_debits + corrected);
  return (
    <div class="narrow column">
      <DataTable
        caption="All users together"
        columns={[
          { title: 'Figure', text: ([title]) => title },
          { title: 'Amount', amount: ([, value]) => value },
        ]}
        items={rows}
        keyOf={([title]) => title}
        empty={null}
      />
      <p>
        {sum === closing_balance ? (
          <span class="tag good">The figures add up</span>
        ) : (
          <span class="tag bad">
            The figures come to <Amount value={sum} />
          </span>
        )}
      </p>
    </div>
  );
}

const DayFacts = ({ of: day }: { readonly of: Day }) => (
  <Facts
    of={{
      Audit: (
        <>
          <Verdict audit={day.audit} /> {day.audit !== null && <Time at={day.audit.audited_at} />}
        </>
      ),
      Transactions:
        formatCount(day.transactions) +
        (day.first_transaction_id === null ? '' : ` (ids ${day.first_transaction_id} to ${day.last_transaction_id})`),
      'Open exposure': day.open_exposure === null ? 'not available' : <Amount value={day.open_exposure} />,
    }}
  />
);

type Users = NonNullable<Day['users']>;

const CORRECTED: Column<Users[number]> = { title: 'Corrected', amount: ({ corrected = 0 }) => corrected };

const columnsFor = (users: Users): readonly Column<Users[number]>[] => [
  { title: 'User', text: ({ user_reference }) => <UserLink reference={user_reference} /> },
  { title: 'Opening', amount: ({ opening_balance }) => opening_balance },
  { title: 'Funded', amount: ({ funded }) => funded },
  { title: 'Withdrawn', amount: ({ withdrawn }) => withdrawn },
  { title: 'Net from bets', amount: ({ bet_net }) => bet_net },
  ...(users.some(({ corrected }) => corrected) ? [CORRECTED] : []),
  { title: 'Closing', amount: ({ closing_balance }) => closing_balance },
  { title: 'Transactions', count: ({ transactions }) => transactions },
];

function DayLinks({ date, query }: { readonly date: string; readonly query: Query }) {
  const link = (day: string) => addressWith(PATH, { ...query, cursor: undefined, date: day });
  return (
    <nav class="pager" aria-label="Days">
      <a class="button" href={link(daysLater(date, -1))}>
        Previous day
      </a>
      {date < today() && (
        <a class="button" href={link(daysLater(date, 1))}>
          Next day
        </a>
      )}
    </nav>
  );
}

export function ReconciliationPage({ query }: PageProps) {
  const { date = today(), cursor } = query;
  const loadDay = ({ get }: Reads, at: string | undefined, perPage: number) =>
    get('/reconciliation', {
      params: {
        query: {
          date,
          include: 'users',
          per_page: perPage,
          ...(at && { cursor: at }),
        },
      },
    });
  const load = async (reads: Reads, at: string, perPage: number) => {
    const { users = [], next } = await loadDay(reads, at, perPage);
    return { data: users, next };
  };
  const day = useResource((reads) => loadDay(reads, cursor, 50), [date, cursor], {
    types: ['transaction.*', 'bet.*'],
    pauseMs: LIST_PAUSE_MS,
    changedBy: ({ transactions }) =>
      transactions !== undefined && date === today() && viewedAccount.value === undefined,
  });
  return (
    <>
      <Heading text="Reconciliation" />
      <Filters path={PATH} query={{ ...query, date }} filters={FILTERS} />
      <Section
        title={date === today() ? `${formatDay(date)}, so far` : formatDay(date)}
        of={day}
        actions={<DayLinks date={date} query={query} />}
      >
        <Loaded of={day}>
          {({ users = [], ...body }) => (
            <>
              <DayFacts of={body} />
              <Sum day={body} />
              <div class="actions">
                <DownloadCsv name={`reconciliation-${date}`} load={load} />
              </div>
              <DataTable
                caption="Each user"
                columns={columnsFor(users)}
                items={users}
                keyOf={({ user_id }) => user_id}
                empty={<p>There are no users yet.</p>}
              />
              <Pager page={{ next: body.next }} onMove={moveTo(PATH, query)} />
              {cursor !== undefined && (
                <a href={addressWith(PATH, { ...query, cursor: undefined })}>Back to the first page</a>
              )}
            </>
          )}
        </Loaded>
      </Section>
    </>
  );
}
