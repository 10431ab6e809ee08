import { useSignal } from '@preact/signals';
import { Fragment } from 'preact';
import type { Reads, Schemas } from '../api/api.js';
import { type Resource, useResource } from '../api/resource.js';
import { concernsUser } from '../live/concerns.js';
import { Actions } from '../parts/actions.js';
import { exactly } from '../parts/amount.js';
import { addressWith, type Query } from '../parts/filters.js';
import { AsOf, Loaded } from '../parts/loaded.js';
import { Amounts, Facts } from '../parts/named.js';
import { Time } from '../parts/time.js';
import { Heading } from '../shell/heading.js';
import type { Page, PageProps } from '../shell/page.js';
import { ByHour } from './ledger/by-hour.js';
import { LIST_PAUSE_MS } from './ledger/following.js';
import { EditUser } from './user/edit-user.js';
import { Exposure } from './user/exposure.js';
import { MoneyForm } from './user/money-form.js';
import { Offers } from './user/offers.js';
import { choiceOf, useNegativeChoices } from './user/preferences.js';
import {
  isSameAnswer,
  LOADED_LINES,
  type Place,
  placeIn,
  StatementFilters,
  StatementSection,
  wantedLines,
} from './user/statement.js';

type User = Schemas['User'];
/** Why its buttons are refused. */
function Disputed({ user: { balance_state } }: { readonly user: User }) {
  if (balance_state === 'agreed') return null;
  return (
    <p class="fault">
      The balance is <strong>disputed</strong>: it differs from the bets and transactions. The user cannot make or
      accept offers or withdraw until the provider of the service has corrected it.
    </p>
  );
}

function UserFacts({ user: { id, name, preferences, meta, created_at } }: { readonly user: User }) {
  const negative = useNegativeChoices().find(([choice]) => choice === choiceOf(preferences));
  return (
    <Facts
      of={{
        Name: <bdi>{name}</bdi>,
        Id: id,
        Created: <Time at={created_at} />,
        'Negative balance': negative?.[1],
      }}
    >
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
    </Facts>
  );
}

const UserActions = ({ user, onChange }: { readonly user: User; readonly onChange: () => void }) => (
  <Actions
    of={{
      fund: {
        text: 'Fund',
        least: 'trader',
        isMain: true,
        dialog: (close) => <MoneyForm movement="fund" of={user} onClose={close} />,
      },
      withdraw: {
        text: 'Withdraw',
        least: 'trader',
        dialog: (close) => <MoneyForm movement="withdraw" of={user} onClose={close} />,
      },
      edit: {
        text: 'Edit',
        least: 'trader',
        dialog: (close) => <EditUser of={user} onDone={onChange} onClose={close} />,
      },
    }}
  />
);

type Statement = Schemas['Statement'];
interface Shown {
  readonly statement: Statement;
  readonly holdings: NonNullable<Statement['holdings']>;
  /** Where in the statement it was loaded. */
  readonly place: Place;
}

/** The user and all that the page shows of it, of one moment. */
function useHoldings(reference: string, query: Query) {
  const start = placeIn(query);
  const chosen = useSignal({ place: start, positions: '', offers: '' });
  const { positions, offers } = chosen.value;
  const place = chosen.value.place.period === start.period ? chosen.value.place : start;
  const cursor = place.cursors.at(-1) ?? '';
  const load = async ({ get }: Reads): Promise<Shown> => {
    const lists = { include: 'holdings', positions_cursor: positions, offers_cursor: offers } as const;
    const statement = await get('/account/user/{reference}/statement', {
      params: { path: { reference }, query: { ...wantedLines(query), per_page: LOADED_LINES, cursor, ...lists } },
    });
    return { statement, holdings: statement.holdings as Shown['holdings'], place };
  };
  const resource: Resource<Shown> = useResource(load, [reference, start.period, cursor, positions, offers], {
    isKept: true,
    pauseMs: LIST_PAUSE_MS,
    changedBy(event) {
      const id = resource.body?.holdings.user.id;
      return id === undefined || event.type.startsWith('wager.') || concernsUser(event, id);
    },
  });
  const move = (to: Partial<typeof chosen.value>) => {
    chosen.value = { ...chosen.value, place, ...to };
  };
  return { resource, place, move };
}

function UserPage({ params: { reference = '' }, query }: PageProps) {
  const { resource, place, move } = useHoldings(reference, query);
  const shown = resource.body?.holdings.user;
  return (
    <>
      <Heading text={`User ${reference}`}>
        {shown !== undefined && <UserActions user={shown} onChange={resource.reload} />}
      </Heading>
      <Loaded of={resource} waiting="Loading figures of one moment …">
        {({ statement, holdings: { user, positions, open_offers }, place: loaded }) => (
          <>
            <AsOf of={resource} text="All figures as of" />
            <Disputed user={user} />
            <Amounts
              of={{
                Balance: user.balance,
                Exposure: user.exposure,
                Available: exactly(user.balance - user.exposure),
              }}
            />
            <UserFacts user={user} />
            <p>
              <a href={addressWith('/events', { user: reference })}>All events of this user</a>
            </p>
            <Exposure positions={positions} onMove={(to) => move({ positions: to })} />
            <Offers user={user} offers={open_offers} onMove={(to) => move({ offers: to })} />
            <ByHour user={reference} />
            <StatementSection
              statement={statement}
              query={query}
              place={isSameAnswer(place, loaded) ? place : loaded}
              onMove={(to) => move({ place: to })}
            />
          </>
        )}
      </Loaded>
      {resource.body === undefined && (query.from ?? query.to ?? query.source) !== undefined && (
        <StatementFilters reference={reference} query={query} />
      )}
    </>
  );
}

export const user: Page = { path: '/users/:reference', title: 'User', view: UserPage };
