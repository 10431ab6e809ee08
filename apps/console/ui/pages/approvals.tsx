import type { Reads, Schemas } from '../api/api.js';
import { useResource } from '../api/resource.js';
import { viewedAccount } from '../api/viewed-account.js';
import type { Column } from '../parts/data-table.js';
import { FilteredTable } from '../parts/paged-table.js';
import { Time } from '../parts/time.js';
import { Heading } from '../shell/heading.js';
import type { PageProps } from '../shell/page.js';
import { isAboutRequests } from './approvals/following.js';
import { operationText, StateTag } from './approvals/operation-text.js';
import { ApprovalRules } from './approvals/rules.js';

type ChangeRequest = Schemas['ChangeRequest'];

const PATH = '/approvals';
const PER_PAGE = 50;
/** The address without a state shows those that wait. */
const STATES = [
  ['', 'pending'],
  ['executed', 'executed'],
  ['rejected', 'rejected'],
  ['withdrawn', 'withdrawn'],
  ['expired', 'expired'],
  ['failed', 'failed'],
] as const;

const COLUMNS: readonly Column<ChangeRequest>[] = [
  {
    title: 'What',
    text: (request) => (
      <a href={`${PATH}/${request.id}`}>
        <bdi>{operationText(request)}</bdi>
      </a>
    ),
  },
  { title: 'Asked by', text: ({ made_by }) => <bdi>{made_by.name}</bdi> },
  { title: 'Why', text: ({ reason }) => <bdi>{reason}</bdi> },
  { title: 'State', text: ({ state }) => <StateTag state={state} /> },
  { title: 'Asked', time: ({ created_at }) => created_at },
  {
    title: 'Expires or decided',
    text: ({ expires_at, decided_at, decided_by }) => (
      <>
        <Time at={decided_at ?? expires_at} /> {decided_by !== null && <bdi>by {decided_by.name}</bdi>}
      </>
    ),
  },
];

export function ApprovalsPage({ query }: PageProps) {
  const { state = '', cursor = '' } = query;
  const loadPage = ({ get }: Reads, at: string, perPage = PER_PAGE) =>
    get('/change-requests', {
      params: {
        query: {
          cursor: at,
          per_page: perPage,
          state: (state || 'pending') as ChangeRequest['state'],
        },
      },
    });
  const load = useResource((reads) => loadPage(reads, cursor), [state, cursor], {
    ...isAboutRequests(),
  });
  return (
    <>
      <Heading text="Approvals" />
      <FilteredTable
        path={PATH}
        query={query}
        filters={[{ name: 'state', label: 'State', choices: STATES }]}
        of={load}
        csv={{ name: 'approvals', load: loadPage }}
        caption="Change requests"
        hidesCaption
        columns={COLUMNS}
        keyOf={({ id }) => id}
        empty={<p>{state === '' ? 'Nothing waits for approval.' : `No request is ${state}.`}</p>}
      />
      {viewedAccount.value === undefined && <ApprovalRules />}
    </>
  );
}
