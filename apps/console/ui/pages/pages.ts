import type { Page } from '../shell/page.js';
import { access } from './access.js';
import { accountEvents } from './account-events.js';
import { event } from './event.js';
import { events } from './events.js';
import { exports } from './exports.js';
import { getStarted } from './get-started.js';
import { overview } from './overview.js';
import { reconciliation } from './reconciliation.js';
import { tenant } from './tenant.js';
import { tenants } from './tenants.js';
import { user } from './user.js';
import { userById } from './user-by-id.js';
import { users } from './users.js';
import { webhook } from './webhook.js';
import { webhooks } from './webhooks.js';

/** The pages about users, events and the account. */
const pagesOfTheAccount: readonly Page[] = [
  ...[users, user, userById, events, event],
  ...[getStarted, webhooks, webhook, exports, reconciliation],
  ...[access, accountEvents, tenants, tenant],
];

/** Every page, in the order of the navigation. */
export const pages: readonly Page[] = [overview, ...pagesOfTheAccount];
