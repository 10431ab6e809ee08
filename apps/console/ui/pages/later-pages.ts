import { laterPage } from '../shell/later-page.js';

// Pages that few people open each day: the browser loads their script when the first of them is shown. That of a bet and that of
// an event come alone.

const views = () => import('./later-views.js');

export const bet = laterPage({ path: '/bets/:id', title: 'Bet' }, async () => (await import('./bet.js')).BetPage);
export const event = laterPage(
  { path: '/events/:seq', title: 'Event' },
  async () => (await import('./event.js')).EventPage,
);
export const access = laterPage(
  { path: '/access', title: 'Keys and sessions', navigation: 'account', isOwn: true },
  async () => (await views()).AccessPage,
);
export const accountEvents = laterPage(
  { path: '/account-events', title: 'Account events', navigation: 'account' },
  async () => (await views()).AccountEventsPage,
);
export const getStarted = laterPage(
  { path: '/get-started', title: 'Get started', navigation: 'integration', isOwn: true },
  async () => (await views()).GetStartedPage,
);
export const alerts = laterPage({ path: '/alerts', title: 'Alerts' }, async () => (await views()).AlertsPage);
export const display = laterPage(
  { path: '/display', title: 'Display', navigation: 'account', isOwn: true },
  async () => (await views()).DisplayPage,
);
export const importing = laterPage(
  { path: '/import', title: 'Import', navigation: 'integration', isOwn: true },
  async () => (await views()).ImportPage,
);
export const people = laterPage(
  { path: '/people', title: 'People', navigation: 'account' },
  async () => (await views()).PeoplePage,
);
export const person = laterPage({ path: '/people/:id', title: 'Person' }, async () => (await views()).PersonPage);
export const approvals = laterPage(
  { path: '/approvals', title: 'Approvals', navigation: 'ledger' },
  async () => (await views()).ApprovalsPage,
);
export const approval = laterPage(
  { path: '/approvals/:id', title: 'Change request' },
  async () => (await views()).ApprovalPage,
);
export const risk = laterPage(
  { path: '/risk', title: 'Risk', navigation: 'ledger' },
  async () => (await views()).RiskPage,
);
export const tenants = laterPage(
  { path: '/tenants', title: 'Tenants', navigation: 'admin', isForAdmins: true },
  async () => (await views()).TenantsPage,
);
export const tenant = laterPage(
  { path: '/tenants/:id', title: 'Tenant', isForAdmins: true },
  async () => (await views()).TenantPage,
);
export const exports = laterPage(
  { path: '/exports', title: 'Exports', navigation: 'integration' },
  async () => (await views()).ExportsPage,
);
export const webhooks = laterPage(
  { path: '/webhooks', title: 'Webhooks', navigation: 'integration' },
  async () => (await views()).WebhooksPage,
);
export const webhook = laterPage({ path: '/webhooks/:id', title: 'Webhook' }, async () => (await views()).WebhookPage);
export const reconciliation = laterPage(
  { path: '/reconciliation', title: 'Reconciliation', navigation: 'integration' },
  async () => (await views()).ReconciliationPage,
);
