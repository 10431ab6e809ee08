import { laterPage } from '../shell/later-page.js';
import type { Page } from '../shell/page.js';

// Pages that few people open each day: the browser loads their script when the first of them is shown. That of a bet and that of
// an event come alone.

const views = () => import('./later-views.js');

const view = (name: keyof Awaited<ReturnType<typeof views>>, page: Omit<Page, 'view'>): Page =>
  laterPage(page, async () => (await views())[name]);

export const bet = laterPage({ path: '/bets/:id', title: 'Bet' }, async () => (await import('./bet.js')).BetPage);
export const event = laterPage(
  { path: '/events/:seq', title: 'Event' },
  async () => (await import('./event.js')).EventPage,
);
export const access = view('AccessPage', {
  path: '/access',
  title: 'Keys and sessions',
  navigation: 'account',
  isOwn: true,
});
export const accountEvents = view('AccountEventsPage', {
  path: '/account-events',
  title: 'Account events',
  navigation: 'account',
});
export const getStarted = view('GetStartedPage', {
  path: '/get-started',
  title: 'Get started',
  navigation: 'integration',
  isOwn: true,
});
export const alerts = view('AlertsPage', { path: '/alerts', title: 'Alerts' });
export const display = view('DisplayPage', { path: '/display', title: 'Display', navigation: 'account', isOwn: true });
export const importing = view('ImportPage', {
  path: '/import',
  title: 'Import',
  navigation: 'integration',
  isOwn: true,
});
export const people = view('PeoplePage', { path: '/people', title: 'People', navigation: 'account' });
export const person = view('PersonPage', { path: '/people/:id', title: 'Person' });
export const approvals = view('ApprovalsPage', { path: '/approvals', title: 'Approvals', navigation: 'ledger' });
export const approval = view('ApprovalPage', { path: '/approvals/:id', title: 'Change request' });
export const risk = view('RiskPage', { path: '/risk', title: 'Risk', navigation: 'ledger' });
export const tenants = view('TenantsPage', {
  path: '/tenants',
  title: 'Tenants',
  navigation: 'admin',
  isForAdmins: true,
});
export const tenant = view('TenantPage', { path: '/tenants/:id', title: 'Tenant', isForAdmins: true });
export const exports = view('ExportsPage', { path: '/exports', title: 'Exports', navigation: 'integration' });
export const webhooks = view('WebhooksPage', { path: '/webhooks', title: 'Webhooks', navigation: 'integration' });
export const webhook = view('WebhookPage', { path: '/webhooks/:id', title: 'Webhook' });
export const reconciliation = view('ReconciliationPage', {
  path: '/reconciliation',
  title: 'Reconciliation',
  navigation: 'integration',
});
