import { api, type Reads, type Schemas } from '../api/api.js';
import type { Role } from '../api/first-view-data.js';
import { usePages } from '../api/resource.js';
import { session } from '../api/session.js';
import { EMAIL } from '../forms/fields.js';
import { type ActionProps, FormDialog } from '../forms/form.js';
import { Actions } from '../parts/actions.js';
import type { Column } from '../parts/data-table.js';
import { AsOf } from '../parts/loaded.js';
import { PagedTable } from '../parts/paged-table.js';
import { timeOr } from '../parts/time.js';
import { Heading } from '../shell/heading.js';
import { PersonLink } from './people/person-link.js';
import { PersonState } from './people/person-state.js';
import { ROLES } from './people/role-choices.js';
import { SecondFactorRule } from './people/second-factor-rule.js';

type Operator = Schemas['Operator'];

const Invite = (props: ActionProps) => (
  <FormDialog
    {...props}
    title="Invite a person"
    name="invite a person"
    action="Send the invitation"
    fields={{
      email: { ...EMAIL, autoComplete: 'off', hint: 'The invitation goes there. It is valid for 7 days.' },
      name: { label: 'Name', hint: 'As events show it.', isRequired: true },
      role: { label: 'Role', value: 'viewer', choices: ROLES },
    }}
    send={({ email, name, role }, idempotencyKey) =>
      api.post('/operators', { idempotencyKey, body: { email, name, role: role as Role } })
    }
    done={({ data }) => `The invitation goes to ${data.email}`}
  />
);

const COLUMNS: readonly Column<Operator>[] = [
  {
    title: 'Name',
    text: (operator) => (
      <>
        {PersonLink(operator)} {operator.id === session.value?.operator.id && <span class="tag good">you</span>}
      </>
    ),
  },
  { title: 'E-mail', text: ({ email }) => <bdi>{email}</bdi> },
  { title: 'Role', text: ({ role }) => role },
  { title: 'State', text: PersonState },
  { title: 'Second factor', text: ({ has_second_factor }) => (has_second_factor ? 'yes' : 'no') },
  { title: 'Last log-in', text: ({ last_login_at }) => timeOr('never', last_login_at) },
];

const loadPeople = ({ get }: Reads, cursor: string, perPage = 100) =>
  get('/operators', { params: { query: { per_page: perPage, cursor } } });

export function PeoplePage() {
  const people = usePages(loadPeople, []);
  const invite = {
    text: 'Invite a person',
    least: 'owner' as const,
    isMain: true,
    dialog: (close: () => void) => <Invite onDone={people.reload} onClose={close} />,
  };
  return (
    <>
      <Heading text="People">
        <Actions of={{ invite }} />
      </Heading>
      <p>Everybody who works for this account has a password and a role. Events name who did what.</p>
      <AsOf of={people} />
      <PagedTable
        of={people}
        csv={{ name: 'people', load: loadPeople }}
        caption="People"
        hidesCaption
        columns={COLUMNS}
        keyOf={({ id }) => id}
        empty={<p>Nobody.</p>}
      />
      <SecondFactorRule />
    </>
  );
}
