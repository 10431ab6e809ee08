import { Heading } from '../shell/heading.js';
import type { PageProps } from '../shell/page.js';
import { AccountEventList } from './access/account-event-list.js';

const PATH = '/account-events';

export const AccountEventsPage = ({ query }: PageProps) => (
  <>
    <Heading text="Account events" />
    <p>
      Logins, changes to the account and its credentials, exports, and reads by admins: who did it, and from where.
      Events are kept for 400 days.
    </p>
    <AccountEventList path={PATH} query={query} />
  </>
);
