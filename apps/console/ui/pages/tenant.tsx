import { useSignal } from '@preact/signals';
import { api, type Schemas } from '../api/api.js';
import { useResource } from '../api/resource.js';
import { type ActionProps, Confirm } from '../forms/form.js';
import { Actions } from '../parts/actions.js';
import { Amount } from '../parts/amount.js';
import { addressWith } from '../parts/filters.js';
import { AsOf, Loaded } from '../parts/loaded.js';
import { Facts } from '../parts/named.js';
import { Time } from '../parts/time.js';
import { Heading } from '../shell/heading.js';
import type { PageProps } from '../shell/page.js';
import { AccountEventList } from './access/account-event-list.js';
import { bets } from './bets.js';
import { events } from './events.js';
import { USUAL_BOUND } from './ledger/questions.js';
import { overview } from './overview.js';
import { EditTenant } from './tenant/edit-tenant.js';
import { TenantAudits } from './tenant/tenant-audits.js';
import { Status } from './tenants.js';
import { users } from './users.js';
import { wagers } from './wagers.js';

type Account = Schemas['Account'];

interface Props extends ActionProps {
  readonly of: Account;
}

const ChangeStatus = ({ of: { id, name, status }, ...props }: Props) => {
  const isActive = status === 'active';
  return (
    <Confirm
      {...props}
      title={`${isActive ? 'Suspend' : 'Activate'} ${name}`}
      action={isActive ? 'Suspend the account' : 'Activate the account'}
      decides
      send={(idempotencyKey) =>
        api.patch('/admin/accounts/{id}', {
          idempotencyKey,
          params: { path: { id } },
          body: { status: isActive ? 'suspended' : 'active' },
        })
      }
      done={isActive ? 'The account is suspended' : 'The account is active'}
    >
      <p>
        {isActive
          ? 'The account can still log in and read, but change nothing. Its bets stay as they are; settlements in progress finish.'
          : 'The account gets all its access back.'}
      </p>
    </Confirm>
  );
};

const EndAccess = ({ of: { id, name }, ...props }: Props) => (
  <Confirm
    {...props}
    title={`End the access of ${name}`}
    action="End the access"
    decides
    send={(idempotencyKey) => api.post('/admin/accounts/{id}/end-access', { idempotencyKey, params: { path: { id } } })}
    done="Every session and API key of the account has ended"
  >
    <p>
      Every session and API key of the account ends at once, and its webhooks are disabled. It can log in again with its
      password, and must create new keys for its servers.
    </p>
  </Confirm>
);

function TenantActions({ of: account, onDone }: { readonly of: Account; readonly onDone: () => void }) {
  const opening = (Opened: typeof EndAccess) => (close: () => void) => (
    <Opened of={account} onDone={onDone} onClose={close} />
  );
  return (
    <Actions
      of={{
        edit: { text: 'Edit', least: 'owner', dialog: opening(EditTenant) },
        status: {
          text: account.status === 'active' ? 'Suspend' : 'Activate',
          least: 'owner',
          dialog: opening(ChangeStatus),
        },
        access: { text: 'End access', least: 'owner', dialog: opening(EndAccess) },
      }}
    />
  );
}

function TenantFacts({ of: account }: { readonly of: Account }) {
  const { email, email_verified_at, email_proved_at, preferences } = account;
  return (
    <Facts
      of={{
        Status: <Status status={account.status} />,
        Role: account.role,
        Id: account.id,
        'E-mail': (
          <>
            <bdi>{email}</bdi>
            {email_verified_at === null ? ', link not opened' : ', link opened '}
            {email_verified_at !== null && <Time at={email_verified_at} />}
            {email_proved_at === null ? ', not confirmed' : ', confirmed '}
            {email_proved_at !== null && <Time at={email_proved_at} />}
          </>
        ),
        'Negative balances': preferences.allow_negative_balance === true ? 'allowed' : 'not allowed',
        'New keys need the password': preferences.confirm_keys === true ? 'yes' : 'no',
        'Ask again above': <Amount value={preferences.confirm_amounts_above ?? USUAL_BOUND} />,
        Created: <Time at={account.created_at} />,
        'Last changed': <Time at={account.updated_at} />,
      }}
    />
  );
}

/** Into the ledger of the account. */
function Links({ id }: { readonly id: number }) {
  return (
    <nav class="pager" aria-label="Ledger of the account">
      {[overview, wagers, bets, users, events, { path: '/reconciliation', title: 'Reconciliation' }].map(
        ({ path, title }) => (
          <a key={path} class="button" href={addressWith(path, { account: String(id) })}>
            {title}
          </a>
        ),
      )}
    </nav>
  );
}

export function TenantPage({ params: { id = '' }, query }: PageProps) {
  const account = useResource(
    ({ get }) => get('/admin/accounts/{id}', { params: { path: { id: id as unknown as number } } }),
    [id],
  );
  const changes = useSignal(0);
  const onChange = () => {
    changes.value += 1;
    account.reload();
  };
  return (
    <>
      <Heading text={`Tenant ${account.body?.data.name ?? id}`}>
        {account.body !== undefined && <TenantActions of={account.body.data} onDone={onChange} />}
      </Heading>
      <AsOf of={account} />
      <Loaded of={account}>
        {({ data }) => (
          <>
            <TenantFacts of={data} />
            <Links id={data.id} />
            <TenantAudits accountId={data.id} />
            <AccountEventList key={changes.value} path={`/tenants/${data.id}`} query={query} accountId={data.id} />
          </>
        )}
      </Loaded>
    </>
  );
}
