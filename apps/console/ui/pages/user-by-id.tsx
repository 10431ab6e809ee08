import { useEffect } from 'preact/hooks';
import { useResource } from '../api/resource.js';
import { Loaded } from '../parts/loaded.js';
import { Heading } from '../shell/heading.js';
import type { Page, PageProps } from '../shell/page.js';
import { route } from '../shell/router.js';
import { pathOfUser } from './user/new-user.js';

/** Leads from the id of a user, which events name, to its page. */
function UserById({ params: { id = '' } }: PageProps) {
  const user = useResource(
    ({ get }) => get('/account/user/{userId}', { params: { path: { userId: id as unknown as number } } }),
    [id],
  );
  const reference = user.body?.data.reference;
  useEffect(() => {
    if (reference !== undefined) route(pathOfUser(reference), { replace: true });
  }, [reference]);
  return (
    <>
      <Heading text={`User ${id}`} />
      <Loaded of={user}>{() => null}</Loaded>
    </>
  );
}

export const userById: Page = { path: '/users/by-id/:id', title: 'User', view: UserById };
