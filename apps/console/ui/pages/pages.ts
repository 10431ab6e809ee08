import type { Page } from '../shell/page.js';
import { event } from './event.js';
import { events } from './events.js';
import { overview } from './overview.js';
import { user } from './user.js';
import { userById } from './user-by-id.js';
import { users } from './users.js';

/** The pages about users, events and the account. */
const pagesOfTheAccount: readonly Page[] = [users, user, userById, events, event];

/** Every page, in the order of the navigation. */
export const pages: readonly Page[] = [overview, ...pagesOfTheAccount];
