import { api } from '../api/api.js';
import { useResource } from '../api/resource.js';
import { DataTable } from '../parts/data-table.js';
import { AsOf, Loaded } from '../parts/loaded.js';
import { Heading } from '../shell/heading.js';
import type { Page } from '../shell/page.js';

function Overview() {
  const users = useResource(() => api.get('/account/user', { params: { query: { per_page: 5 } } }), [], {
    changedBy: ({ type }) => type.startsWith('user.') || type.startsWith('transaction.'),
  });
  return (
    <>
      <Heading text="Overview" />
      <AsOf of={users} />
      <Loaded of={users}>
        {({ data: { items } }) => (
          <DataTable
            caption="Users"
            columns={[
              { title: 'Reference', text: ({ reference }) => <bdi>{reference}</bdi> },
              { title: 'Balance', amount: ({ balance }) => balance },
            ]}
            items={items}
            keyOf={({ id }) => id}
            empty={<p>There are no users yet.</p>}
          />
        )}
      </Loaded>
    </>
  );
}

export const overview: Page = { path: '/', title: 'Overview', navigation: 'ledger', view: Overview };
