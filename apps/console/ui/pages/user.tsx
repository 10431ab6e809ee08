import { useSignal } from '@preact/signals';
import { Fragment } from 'preact';
import { api, type Moment, type Schemas } from '../api/api.js';
import { useOneMoment } from '../api/one-moment.js';
import { type Resource, useResource } from '../api/resource.js';
import { concernsUser } from '../live/concerns.js';
import { Amount, decimalsOf } from '../parts/amount.js';
import { exactly } from '../parts/exactly.js';
import { addressWith } from '../parts/filters.js';
import { Loaded } from '../parts/loaded.js';
import { Time } from '../parts/time.js';
import { Heading } from '../shell/heading.js';
import type { Page, PageProps } from '../shell/page.js';
import { LIST_PAUSE_MS } from './ledger/following.js';
import { EditUser } from './user/edit-user.js';
import { Exposure, usePositions } from './user/exposure.js';
import { MoneyForm, type Movement } from './user/money-form.js';
import { Offers, useOffers } from './user/offers.js';
import { choiceOf, useNegativeChoices } from './user/preferences.js';
import { StatementSection, useStatement } from './user/statement.js';

type User = Schemas['User'];
type UserResource = Resource<{ readonly data: User }>;

function Figures({ user: { balance, exposure } }: { readonly user: User }) {
  const figures = { Balance: balance, Exposure: exposure, Available: exactly(balance - exposure) };
  const decimals = decimalsOf(Object.values(figures));
  return (
    <dl class="figures">
      {Object.entries(figures).map(([title, value]) => (
        <div key={title}>
          <dt>{title}</dt>
          <dd>
            <Amount value={value} decimals={decimals} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Why its buttons are refused. */
function Disputed({ user: { balance_state } }: { readonly user: User }) {
  if (balance_state === 'agreed') return null;
  return (
    <p class="fault">
      The balance is <strong>disputed</strong>: it differs from the bets and transactions. The user cannot make or
      accept offers or withdraw until the operator of the service has corrected it.
    </p>
  );
}

function About({ user: { id, name, preferences, meta, created_at } }: { readonly user: User }) {
  const negative = useNegativeChoices().find(([choice]) => choice === choiceOf(preferences));
  return (
    <dl class="facts panel">
      <dt>Name</dt>
      <dd>
        <bdi>{name}</bdi>
      </dd>
      <dt>Id</dt>
      <dd>{id}</dd>
      <dt>Created</dt>
      <dd>
        <Time at={created_at} />
      </dd>
      <dt>Negative balance</dt>
      <dd>{negative?.[1]}</dd>
      {Object.entries(meta ?? {}).map(([key, value]) => (
        <Fragment key={key}>
          <dt>
            <bdi>{key}</bdi>
          </dt>
          <dd>
            <bdi>{value}</bdi>
          </dd>
        </Fragment>
      ))}
    </dl>
  );
}

const ACTIONS = { fund: 'Fund', withdraw: 'Withdraw', edit: 'Edit' } as const;

/** The buttons of a user, and the dialog that one of them has opened. */
function Actions({ user, onChange }: { readonly user: User; readonly onChange: () => void }) {
  const open = useSignal<Movement | 'edit' | undefined>(undefined);
  const close = () => {
    open.value = undefined;
  };
  return (
    <div class="actions">
      {(['fund', 'withdraw', 'edit'] as const).map((action) => (
        <button
          key={action}
          type="button"
          class={action === 'fund' ? 'main' : ''}
          onClick={() => {
            open.value = action;
          }}
        >
          {ACTIONS[action]}
        </button>
      ))}
      {open.value === 'edit' && <EditUser user={user} onClose={close} onDone={onChange} />}
      {open.value !== undefined && open.value !== 'edit' && (
        <MoneyForm movement={open.value} user={user} onClose={close} />
      )}
    </div>
  );
}

/** The figures come from several answers: it says of which moment, once they agree. */
function OneMoment({ moment }: { readonly moment: Moment | undefined }) {
  if (moment === undefined) return <p class="as-of waiting">Loading figures of one moment …</p>;
  return (
    <p class="as-of">
      All figures as of <Time at={moment.at} short />
    </p>
  );
}

function UserView({ user, of, query }: { user: User; of: UserResource; query: PageProps['query'] }) {
  const positions = usePositions(user.id);
  const offers = useOffers(user.id);
  const statement = useStatement(user, query);
  const resources = [of, positions.resource, offers.resource, statement.resource];
  return (
    <>
      <OneMoment moment={useOneMoment(resources, { user_id: user.id })} />
      <Disputed user={user} />
      <Figures user={user} />
      <About user={user} />
      <p>
        <a href={addressWith('/events', { user: user.reference })}>All events of this user</a>
      </p>
      <Exposure positions={positions} />
      <Offers user={user} offers={offers} />
      <StatementSection reference={user.reference} query={query} statement={statement} />
    </>
  );
}

function UserPage({ params: { reference = '' }, query }: PageProps) {
  const user: UserResource = useResource(
    () => api.get('/account/user/{reference}/reference', { params: { path: { reference } } }),
    [reference],
    { pauseMs: LIST_PAUSE_MS, changedBy: (event) => user.body !== undefined && concernsUser(event, user.body.data.id) },
  );
  return (
    <>
      <Heading text={`User ${reference}`}>
        {user.body !== undefined && <Actions user={user.body.data} onChange={user.reload} />}
      </Heading>
      <Loaded of={user}>{({ data }) => <UserView user={data} of={user} query={query} />}</Loaded>
    </>
  );
}

export const user: Page = { path: '/users/:reference', title: 'User', view: UserPage };
