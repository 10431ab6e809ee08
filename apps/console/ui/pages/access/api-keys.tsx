import { useSignal } from '@preact/signals';
import { api, type Schemas } from '../../api/api.js';
import { useResource } from '../../api/resource.js';
import { session } from '../../api/session.js';
import { PasswordIfAsked, TextField } from '../../forms/fields.js';
import { FormView } from '../../forms/form-view.js';
import { useForm } from '../../forms/use-form.js';
import { optionalText } from '../../forms/values.js';
import { Confirm } from '../../parts/confirm.js';
import { Copyable } from '../../parts/copyable.js';
import { DataTable } from '../../parts/data-table.js';
import { Dialog } from '../../parts/dialog.js';
import { PagedList } from '../../parts/paged-list.js';
import { Section } from '../../parts/section.js';
import { Time } from '../../parts/time.js';

type ApiKey = Schemas['ApiKey'];
type NewApiKey = Schemas['NewApiKey'];

/** The secret of a new key, which the API tells only once. */
function Secret({
  made: { name, api_key, api_secret, base64_encoded },
  onClose,
}: {
  made: NewApiKey;
  onClose(): void;
}) {
  return (
    <>
      <p>
        The key <bdi>{name}</bdi> is created. <strong>Its secret is shown only once:</strong> store it now.
      </p>
      <Copyable label="API key" text={api_key} />
      <Copyable label="Secret" text={api_secret} />
      <Copyable
        label="Example call"
        text={`curl -s ${session.value?.apiUrl}/account/user \\\n  -H 'Authorization: Basic ${base64_encoded}'`}
      />
      <button type="button" class="main" onClick={onClose}>
        I have stored it
      </button>
    </>
  );
}

function NewKeyForm({ onMade }: { readonly onMade: (made: NewApiKey) => void }) {
  const form = useForm({
    name: 'create an API key',
    hasNoKey: true,
    initial: { name: '', expires_at: '', password: '' },
    send: ({ name, expires_at, password }) =>
      api.post('/auth/account/api-keys', {
        body: { name, expires_at: optionalText(expires_at) ?? null, ...(password !== '' && { password }) },
      }),
    onDone: ({ data }) => onMade(data),
  });
  return (
    <FormView form={form} action="Create the key">
      <TextField form={form} name="name" label="Name" hint="The server or program that uses it." isRequired />
      <TextField form={form} name="expires_at" label="Expires on" hint="UTC. Empty: never." type="date" />
      <PasswordIfAsked form={form} />
    </FormView>
  );
}

function NewKey({ onClose, onMade }: { readonly onClose: () => void; readonly onMade: () => void }) {
  const made = useSignal<NewApiKey | undefined>(undefined);
  return (
    <Dialog title="New API key" onClose={onClose}>
      {made.value !== undefined ? (
        <Secret made={made.value} onClose={onClose} />
      ) : (
        <NewKeyForm
          onMade={(key) => {
            made.value = key;
            onMade();
          }}
        />
      )}
    </Dialog>
  );
}

interface KeyTableProps {
  readonly keys: readonly ApiKey[];
  readonly onRevoke: (key: ApiKey) => void;
}

function KeyTable({ keys, onRevoke }: KeyTableProps) {
  return (
    <DataTable
      caption="API keys"
      hidesCaption
      columns={[
        { title: 'Name', text: ({ name }) => <bdi>{name}</bdi> },
        { title: 'Key', text: ({ api_key }) => <code>{api_key}</code> },
        { title: 'Created', time: ({ created_at }) => created_at },
        {
          title: 'Last used',
          text: ({ last_used_at }) => (last_used_at === null ? 'never' : <Time at={last_used_at} />),
        },
        { title: 'Expires', text: ({ expires_at }) => (expires_at === null ? 'never' : <Time at={expires_at} />) },
        {
          title: 'Revoke',
          hidesTitle: true,
          text: (key) => (
            <button type="button" aria-label={`Revoke the key ${key.name}`} onClick={() => onRevoke(key)}>
              Revoke
            </button>
          ),
        },
      ]}
      items={keys}
      keyOf={({ id }) => id}
      empty={
        <p>
          No API key yet. Your servers call the API with one: create it with the button above, and try{' '}
          <a href="/get-started">the first calls</a>.
        </p>
      }
    />
  );
}

/** The keys with which servers call the API. */
export function ApiKeys() {
  const cursor = useSignal('');
  const isMaking = useSignal(false);
  const revoking = useSignal<ApiKey | undefined>(undefined);
  const keys = useResource(
    () => api.get('/auth/account/api-keys', { params: { query: { per_page: 50, cursor: cursor.value } } }),
    [cursor.value],
  );
  const create = (
    <button
      type="button"
      onClick={() => {
        isMaking.value = true;
      }}
    >
      New API key
    </button>
  );
  return (
    <Section title="API keys" of={keys} actions={create}>
      {isMaking.value && (
        <NewKey
          onMade={keys.reload}
          onClose={() => {
            isMaking.value = false;
          }}
        />
      )}
      {revoking.value !== undefined && (
        <RevokeKey
          apiKey={revoking.value}
          onDone={keys.reload}
          onClose={() => {
            revoking.value = undefined;
          }}
        />
      )}
      <PagedList of={keys} cursor={cursor}>
        {(items) => (
          <KeyTable
            keys={items}
            onRevoke={(key) => {
              revoking.value = key;
            }}
          />
        )}
      </PagedList>
    </Section>
  );
}

interface RevokeKeyProps {
  readonly apiKey: ApiKey;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

function RevokeKey({ apiKey: { id, name, last_used_at }, onDone, onClose }: RevokeKeyProps) {
  return (
    <Confirm
      title={`Revoke ${name}`}
      name={`revoke the key ${id}`}
      action="Revoke the key"
      send={(idempotencyKey) => api.delete('/auth/account/api-keys/{id}', { idempotencyKey, params: { path: { id } } })}
      done="The key is revoked"
      onDone={onDone}
      onClose={onClose}
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
}
