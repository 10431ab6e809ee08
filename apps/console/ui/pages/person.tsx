import type { Schemas } from '../api/api.js';
import { useResource } from '../api/resource.js';
import { AsOf, Loaded } from '../parts/loaded.js';
import { Facts } from '../parts/named.js';
import { Time, timeOr } from '../parts/time.js';
import { Heading } from '../shell/heading.js';
import type { PageProps } from '../shell/page.js';
import { AccountEventList } from './access/account-event-list.js';
import { PersonActions } from './people/person-actions.js';
import { PersonState } from './people/person-state.js';

const PersonFacts = ({ of }: { readonly of: Schemas['Operator'] }) => (
  <Facts
    of={{
      'E-mail': <bdi>{of.email}</bdi>,
      Role: of.role,
      State: <PersonState state={of.state} />,
      'Second factor': of.has_second_factor ? 'yes' : 'no',
      'Last log-in': timeOr('never', of.last_login_at),
      Since: <Time at={of.created_at} />,
    }}
  />
);

export function PersonPage({ params: { id = '' }, query }: PageProps) {
  const operatorId = Number(id);
  const operator = useResource(({ get }) => get('/operators/{id}', { params: { path: { id: operatorId } } }), [id]);
  const found = operator.body?.data;
  return (
    <>
      <Heading text={found === undefined ? `Person ${id}` : found.name}>
        {found !== undefined && <PersonActions of={found} onDone={operator.reload} />}
      </Heading>
      <Loaded of={operator}>
        {({ data }) => (
          <>
            <AsOf of={operator} />
            <PersonFacts of={data} />
          </>
        )}
      </Loaded>
      <AccountEventList path={`/people/${id}`} query={query} operatorId={operatorId} />
    </>
  );
}
