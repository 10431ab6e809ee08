import type { Page } from '../shell/page.js';
import { bets } from './bets.js';
import { events } from './events.js';
import * as later from './later-pages.js';
import { overview } from './overview.js';
import { user } from './user.js';
import { userById } from './user-by-id.js';
import { users } from './users.js';
import { wager } from './wager.js';
import { wagers } from './wagers.js';

/** The pages about users, events and the account. */
const pagesOfTheAccount: readonly Page[] = [
  ...[users, user, userById, events, later.event],
  ...[later.getStarted, later.webhooks, later.webhook, later.exports, later.importing, later.reconciliation],
  ...[later.people, later.person, later.access, later.accountEvents, later.display, later.tenants, later.tenant],
];

/** The pages about what is bet on. */
const pagesOfTheLedger: readonly Page[] = [
  overview,
  wagers,
  wager,
  later.risk,
  bets,
  later.bet,
  later.approvals,
  later.approval,
  later.alerts,
];

/** Every page, in the order of the navigation. */
export const pages: readonly Page[] = [...pagesOfTheLedger, ...pagesOfTheAccount];
