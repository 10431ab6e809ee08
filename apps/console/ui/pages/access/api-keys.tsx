import { api, type Schemas } from '../../api/api.js';
import { usePages } from '../../api/resource.js';
import { session } from '../../api/session.js';
import { PASSWORD_IF_ASKED } from '../../forms/fields.js';
import { type ActionProps, Confirm } from '../../forms/form.js';
import { OnceDialog } from '../../forms/once-dialog.js';
import { textOrNull } from '../../forms/use-form.js';
import { Actions, useDialog } from '../../parts/actions.js';
import { rowButton } from '../../parts/data-table.js';
import { PagedTable } from '../../parts/paged-table.js';
import { Section } from '../../parts/section.js';
import { Time, timeOr } from '../../parts/time.js';
import { PersonLink } from '../people/person-link.js';

type ApiKey = Schemas['ApiKey'];
type Role = ApiKey['role'];

const ROLES: readonly (readonly [Role, string])[] = [
  ['owner', 'Owner: everything'],
  ['settler', 'Settler: also decides and closes wagers'],
  ['trader', 'Trader: also bets and moves money'],
  ['viewer', 'Viewer: only reads'],
];

function NewKey({ onClose, onMade }: { readonly onClose: () => void; readonly onMade: () => void }) {
  return (
    <OnceDialog
      title="New API key"
      name="create an API key"
      action="Create the key"
      fields={{
        name: { label: 'Name', hint: 'The server or program that uses it.', isRequired: true },
        role: { label: 'Role', hint: 'What the key may do.', value: 'owner', choices: ROLES },
        expires_at: { label: 'Expires on', hint: 'UTC. Empty: never.', type: 'date' },
        password: PASSWORD_IF_ASKED,
      }}
      send={({ name, role, expires_at, password }) =>
        api.post('/auth/account/api-keys', {
          body: {
            name,
            role: role as Role,
            expires_at: textOrNull(expires_at),
            ...(password !== '' && { password }),
          },
        })
      }
      told={({ data }) => (
        <>
          The key <bdi>{data.name}</bdi> is created. <strong>Its secret is shown only once:</strong> store it now.
        </>
      )}
      texts={({ data: { api_key, api_secret, base64_encoded } }) => ({
        'API key': api_key,
        Secret: api_secret,
        'Example call': `curl -s ${session.value?.apiUrl}/account/user \\\n  -H 'Authorization: Basic ${base64_encoded}'`,
      })}
      onDone={onMade}
      onClose={onClose}
    />
  );
}

const RevokeKey = ({ of: { id, name, last_used_at }, ...props }: ActionProps & { readonly of: ApiKey }) => (
  <Confirm
    {...props}
    title={`Revoke ${name}`}
    action="Revoke the key"
    send={(idempotencyKey) => api.delete('/auth/account/api-keys/{id}', { idempotencyKey, params: { path: { id } } })}
    done="The key is revoked"
  >
    <p>
      Servers that use this key lose access at once.{' '}
      {last_used_at === null ? (
        'It was never used.'
      ) : (
        <>
          It was last used on <Time at={last_used_at} />.
        </>
      )}
    </p>
  </Confirm>
);

/** The keys with which servers call the API. */
export function ApiKeys() {
  const keys = usePages(
    ({ get }, cursor) => get('/auth/account/api-keys', { params: { query: { per_page: 50, cursor } } }),
    [],
  );
  const revoking = useDialog<ApiKey>((key, close) => <RevokeKey of={key} onDone={keys.reload} onClose={close} />);
  const create = {
    text: 'New API key',
    least: 'owner' as const,
    dialog: (close: () => void) => <NewKey onMade={keys.reload} onClose={close} />,
  };
  return (
    <Section title="API keys" of={keys} actions={<Actions of={{ create }} />}>
      {revoking.dialog}
      <PagedTable
        of={keys}
        caption="API keys"
        hidesCaption
        columns={[
          { title: 'Name', text: ({ name }) => <bdi>{name}</bdi> },
          { title: 'Role', text: ({ role }) => role },
          { title: 'By', text: ({ operator }) => operator && PersonLink(operator) },
          { title: 'Key', text: ({ api_key }) => <code>{api_key}</code> },
          { title: 'Created', time: ({ created_at }) => created_at },
          { title: 'Last used', text: ({ last_used_at }) => timeOr('never', last_used_at) },
          { title: 'Expires', text: ({ expires_at }) => timeOr('never', expires_at) },
          rowButton('Revoke', ({ name }) => `Revoke the key ${name}`, revoking.open, 'owner'),
        ]}
        keyOf={({ id }) => id}
        empty={
          <p>
            No API key yet. Your servers call the API with one: create it with the button above, and try{' '}
            <a href="/get-started">the first calls</a>.
          </p>
        }
      />
    </Section>
  );
}
