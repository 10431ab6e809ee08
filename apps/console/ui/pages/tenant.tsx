import { useSignal } from '@preact/signals';
import { api, type Schemas } from '../api/api.js';
import { useResource } from '../api/resource.js';
import { accountQuery } from '../parts/account-query.js';
import { Amount } from '../parts/amount.js';
import { Confirm } from '../parts/confirm.js';
import { AsOf, Loaded } from '../parts/loaded.js';
import { Time } from '../parts/time.js';
import { Heading } from '../shell/heading.js';
import type { Page, PageProps } from '../shell/page.js';
import { AccountEventList } from './access/account-event-list.js';
import { bets } from './bets.js';
import { USUAL_BOUND } from './ledger/questions.js';
import { reconciliation } from './reconciliation.js';
import { EditTenant } from './tenant/edit-tenant.js';
import { TenantAudits } from './tenant/tenant-audits.js';
import { Status } from './tenants.js';
import { wagers } from './wagers.js';

type Account = Schemas['Account'];

interface DialogProps {
  readonly account: Account;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

function ChangeStatus({ account: { id, name, status }, onClose, onDone }: DialogProps) {
  const isActive = status === 'active';
  return (
    <Confirm
      title={`${isActive ? 'Suspend' : 'Activate'} ${name}`}
      name={`${status} account ${id}`}
      action={isActive ? 'Suspend the account' : 'Activate the account'}
      send={(idempotencyKey) =>
        api.patch('/admin/accounts/{id}', {
          idempotencyKey,
          params: { path: { id } },
          body: { status: isActive ? 'suspended' : 'active' },
        })
      }
      done={isActive ? 'The account is suspended' : 'The account is active'}
      onDone={onDone}
      onClose={onClose}
      decides
    >
      <p>
        {isActive
          ? 'The account can still log in and read, but change nothing. Its bets stay as they are; settlements in progress finish.'
          : 'The account gets all its access back.'}
      </p>
    </Confirm>
  );
}

function EndAccess({ account: { id, name }, onClose, onDone }: DialogProps) {
  return (
    <Confirm
      title={`End the access of ${name}`}
      name={`end the access of account ${id}`}
      action="End the access"
      send={(idempotencyKey) =>
        api.post('/admin/accounts/{id}/end-access', { idempotencyKey, params: { path: { id } } })
      }
      done="Every session and API key of the account has ended"
      onDone={onDone}
      onClose={onClose}
      decides
    >
      <p>
        Every session and API key of the account ends at once, and its webhooks are disabled. It can log in again with
        its password, and must create new keys for its servers.
      </p>
    </Confirm>
  );
}

const DIALOGS = { edit: EditTenant, status: ChangeStatus, access: EndAccess } as const;

function Actions({ account, onChange }: { readonly account: Account; readonly onChange: () => void }) {
  const open = useSignal<keyof typeof DIALOGS | undefined>(undefined);
  const Opened = open.value && DIALOGS[open.value];
  const texts = { edit: 'Edit', status: account.status === 'active' ? 'Suspend' : 'Activate', access: 'End access' };
  return (
    <div class="actions">
      {(['edit', 'status', 'access'] as const).map((name) => (
        <button
          key={name}
          type="button"
          onClick={() => {
            open.value = name;
          }}
        >
          {texts[name]}
        </button>
      ))}
      {Opened !== undefined && (
        <Opened
          account={account}
          onDone={onChange}
          onClose={() => {
            open.value = undefined;
          }}
        />
      )}
    </div>
  );
}

function Facts({ account }: { readonly account: Account }) {
  const { id, email, role, status, email_verified_at, email_proved_at, preferences, created_at, updated_at } = account;
  return (
    <dl class="facts panel">
      <dt>Status</dt>
      <dd>
        <Status status={status} />
      </dd>
      <dt>Role</dt>
      <dd>{role}</dd>
      <dt>Id</dt>
      <dd>{id}</dd>
      <dt>E-mail</dt>
      <dd>
        <bdi>{email}</bdi>
        {email_verified_at === null ? (
          ', link not opened'
        ) : (
          <>
            , link opened <Time at={email_verified_at} />
          </>
        )}
        {email_proved_at === null ? (
          ', not confirmed'
        ) : (
          <>
            , confirmed <Time at={email_proved_at} />
          </>
        )}
      </dd>
      <dt>Negative balances</dt>
      <dd>{preferences.allow_negative_balance === true ? 'allowed' : 'not allowed'}</dd>
      <dt>New keys need the password</dt>
      <dd>{preferences.confirm_keys === true ? 'yes' : 'no'}</dd>
      <dt>Ask again above</dt>
      <dd>
        <Amount value={preferences.confirm_amounts_above ?? USUAL_BOUND} />
      </dd>
      <dt>Created</dt>
      <dd>
        <Time at={created_at} />
      </dd>
      <dt>Last changed</dt>
      <dd>
        <Time at={updated_at} />
      </dd>
    </dl>
  );
}

/** Into the ledger of the account. */
function Links({ id }: { readonly id: number }) {
  return (
    <nav class="pager" aria-label="Ledger of the account">
      {[wagers, bets, reconciliation].map(({ path, title }) => (
        <a key={path} class="button" href={path + accountQuery(id)}>
          {title}
        </a>
      ))}
    </nav>
  );
}

function TenantPage({ params: { id = '' }, query }: PageProps) {
  const account = useResource(
    () => api.get('/admin/accounts/{id}', { params: { path: { id: id as unknown as number } } }),
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
        {account.body !== undefined && <Actions account={account.body.data} onChange={onChange} />}
      </Heading>
      <AsOf of={account} />
      <Loaded of={account}>
        {({ data }) => (
          <>
            <Facts account={data} />
            <Links id={data.id} />
            <TenantAudits accountId={data.id} />
            <AccountEventList key={changes.value} path={`/tenants/${data.id}`} query={query} accountId={data.id} />
          </>
        )}
      </Loaded>
    </>
  );
}

export const tenant: Page = { path: '/tenants/:id', title: 'Tenant', isForAdmins: true, view: TenantPage };
