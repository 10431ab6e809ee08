import type { Reads } from '../api/api.js';
import { type Resource, useResource } from '../api/resource.js';
import { isAdmin } from '../api/session.js';
import { viewedAccount } from '../api/viewed-account.js';
import { later } from '../parts/later.js';
import { Section } from '../parts/section.js';
import { Heading } from '../shell/heading.js';
import type { Page } from '../shell/page.js';
import { ByHour } from './ledger/by-hour.js';
import { RiskSummary } from './ledger/risk-summary.js';
import { SettlingList } from './ledger/settling-list.js';
import { AllHealth } from './overview/all-health.js';
import { Market, Money, useBooks } from './overview/figures.js';
import { Health } from './overview/health.js';
import { NewestEvents } from './overview/newest-events.js';

/** Of an account without users or offers. */
const FirstSteps = later(async () => (await import('./overview/first-steps.js')).FirstSteps);

/** Enough for the suggestions of the first steps. */
const FEW_USERS = 20;

/** Whether anything was bet on, and who could. */
async function loadBeginning({ get }: Reads) {
  const wagers = await get('/wagers', { params: { query: { per_page: 1, cursor: '' } } });
  if (wagers.data.length > 0) return { isEmpty: false, users: [] };
  const users = await get('/account/user', {
    params: { query: { per_page: FEW_USERS, cursor: '', sort_direction: 'asc' } },
  });
  return { isEmpty: true, users: users.data.items };
}

type Beginning = Awaited<ReturnType<typeof loadBeginning>>;

const BEGINNINGS = ['user.created', 'transaction.created', 'wager.created'];

function Overview() {
  const beginning: Resource<Beginning> = useResource(loadBeginning, [], {
    types: BEGINNINGS,
    // A ledger that has begun does not become empty again.
    changedBy: () => beginning.body?.isEmpty !== false,
  });
  const isEmpty = beginning.body?.isEmpty ?? false;
  const books = useBooks();
  return (
    <>
      <Heading text="Overview" />
      {beginning.body?.isEmpty && viewedAccount.value === undefined && <FirstSteps users={beginning.body.users} />}
      <Market />
      <Money books={books} />
      {!isEmpty && <RiskSummary most={10} hasUsers />}
      {!isEmpty && <ByHour />}
      {!isEmpty && (
        <Section title="Settlements in progress">
          <SettlingList />
        </Section>
      )}
      <Health />
      {isAdmin() && viewedAccount.value === undefined && <AllHealth />}
      <NewestEvents />
    </>
  );
}

export const overview: Page = { path: '/', title: 'Overview', navigation: 'ledger', view: Overview };
