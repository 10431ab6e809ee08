import type { Page } from '../shell/page.js';
import { bets } from './bets.js';
import { events } from './events.js';
import {
  access,
  accountEvents,
  alerts,
  approval,
  approvals,
  bet,
  display,
  event,
  exports,
  getStarted,
  importing,
  people,
  person,
  reconciliation,
  risk,
  tenant,
  tenants,
  webhook,
  webhooks,
} from './later-pages.js';
import { overview } from './overview.js';
import { user } from './user.js';
import { userById } from './user-by-id.js';
import { users } from './users.js';
import { wager } from './wager.js';
import { wagers } from './wagers.js';

/** The pages about users, events and the account. */
const pagesOfTheAccount: readonly Page[] = [
  ...[users, user, userById, events, event],
  ...[getStarted, webhooks, webhook, exports, importing, reconciliation],
  ...[people, person, access, accountEvents, display, tenants, tenant],
];

/** The pages about what is bet on. */
const pagesOfTheLedger: readonly Page[] = [overview, wagers, wager, risk, bets, bet, approvals, approval, alerts];

/** Every page, in the order of the navigation. */
export const pages: readonly Page[] = [...pagesOfTheLedger, ...pagesOfTheAccount];
