import { api, type Schemas } from '../../api/api.js';
import type { Role } from '../../api/first-view-data.js';
import { session } from '../../api/session.js';
import { type ActionProps, Confirm, FormDialog } from '../../forms/form.js';
import { Actions } from '../../parts/actions.js';
import { route } from '../../shell/router.js';
import { ROLES } from './role-choices.js';

interface Props extends ActionProps {
  readonly of: Schemas['Operator'];
}

const Edit = ({ of: { id, name, role }, ...props }: Props) => (
  <FormDialog
    {...props}
    title={`Edit ${name}`}
    name={`edit person ${id}`}
    action="Save"
    isStored={false}
    fields={{
      name: { label: 'Name', value: name, isRequired: true },
      role: {
        label: 'Role',
        hint: 'It counts at once, for the keys that the person made, too.',
        value: role,
        choices: ROLES,
      },
    }}
    send={(values, idempotencyKey) =>
      api.patch('/operators/{id}', {
        idempotencyKey,
        params: { path: { id } },
        body: { name: values.name, role: values.role as Role },
      })
    }
    done="The person is changed"
  />
);

const setState = (id: number, state: 'active' | 'suspended') => (idempotencyKey: string) =>
  api.patch('/operators/{id}', { idempotencyKey, params: { path: { id } }, body: { state } });

const Suspend = ({ of: { id, name }, ...props }: Props) => (
  <Confirm
    {...props}
    title={`Suspend ${name}`}
    action="Suspend the person"
    send={setState(id, 'suspended')}
    done="The person is suspended"
  >
    <p>
      The sessions of <bdi>{name}</bdi> end at once. They cannot log in, and the API keys that they made open nothing,
      until you activate them again.
    </p>
  </Confirm>
);

const Activate = ({ of: { id, name }, ...props }: Props) => (
  <Confirm
    {...props}
    title={`Activate ${name}`}
    action="Activate the person"
    send={setState(id, 'active')}
    done="The person is active"
  >
    <p>
      <bdi>{name}</bdi> may log in again, and the API keys that it made work again.
    </p>
  </Confirm>
);

const InviteAgain = ({ of: { id, email }, ...props }: Props) => (
  <Confirm
    {...props}
    title="Invite again"
    action="Send the invitation"
    enterConfirms
    send={(idempotencyKey) => api.post('/operators/{id}/invite', { idempotencyKey, params: { path: { id } } })}
    done="The invitation is sent again"
  >
    <p>
      A new invitation goes to <bdi>{email}</bdi>, valid for 7 days. The former one ends.
    </p>
  </Confirm>
);

const RemoveFactor = ({ of: { id, name }, ...props }: Props) => (
  <Confirm
    {...props}
    title={`Remove the second factor of ${name}`}
    action="Remove the second factor"
    send={(idempotencyKey) => api.delete('/operators/{id}/second-factor', { idempotencyKey, params: { path: { id } } })}
    done="The second factor is removed"
  >
    <p>
      The sessions of <bdi>{name}</bdi> end, and its password is enough for the next log-in. Make sure who asks: a thief
      would ask for the same.
    </p>
  </Confirm>
);

const Delete = ({ of: { id, name }, onClose }: Props) => (
  <Confirm
    title={`Delete ${name}`}
    action="Delete the person"
    send={(idempotencyKey) => api.delete('/operators/{id}', { idempotencyKey, params: { path: { id } } })}
    done="The person is deleted"
    onDone={() => route('/people')}
    onClose={onClose}
  >
    <p>
      The sessions of <bdi>{name}</bdi> and the API keys that they made end at once and for good: servers that use these
      lose access. Their name stays in events.
    </p>
  </Confirm>
);

const OWNERS = { least: 'owner' } as const;

/** The buttons of a person. */
export function PersonActions({ of: operator, onDone }: { readonly of: Props['of']; readonly onDone: () => void }) {
  const { state } = operator;
  const opening = (Opened: typeof Edit) => (close: () => void) => (
    <Opened of={operator} onDone={onDone} onClose={close} />
  );
  return (
    <Actions
      of={{
        edit: { ...OWNERS, text: 'Edit', dialog: opening(Edit) },
        invite: { ...OWNERS, text: 'Invite again', isHidden: state !== 'invited', dialog: opening(InviteAgain) },
        suspend: { ...OWNERS, text: 'Suspend', isHidden: state !== 'active', dialog: opening(Suspend) },
        activate: { ...OWNERS, text: 'Activate', isHidden: state !== 'suspended', dialog: opening(Activate) },
        factor: {
          ...OWNERS,
          text: 'Remove the second factor',
          isHidden: !operator.has_second_factor || operator.id === session.value?.operator.id,
          dialog: opening(RemoveFactor),
        },
        delete: { ...OWNERS, text: 'Delete', dialog: opening(Delete) },
      }}
    />
  );
}
