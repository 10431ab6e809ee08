import { Heading } from '../shell/heading.js';
import type { Page, PageProps } from '../shell/page.js';
import { AccountEventList } from './access/account-event-list.js';

const PATH = '/account-events';

const AccountEventsPage = ({ query }: PageProps) => (
  <>
    <Heading text="Account events" />
    <p>
      Who logged in, changed the account or its credentials, took its data or read them as an admin, and from where.
      Events are deleted after 400 days.
    </p>
    <AccountEventList path={PATH} query={query} />
  </>
);

export const accountEvents: Page = {
  path: PATH,
  title: 'Account events',
  navigation: 'account',
  view: AccountEventsPage,
};
