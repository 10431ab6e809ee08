import { useSignal } from '@preact/signals';
import type { Schemas } from '../../api/api.js';
import { useResource } from '../../api/resource.js';
import { Amount, decimalsOf, formatCount } from '../../parts/amount.js';
import { DataTable } from '../../parts/data-table.js';
import { Loaded, LoadFault } from '../../parts/loaded.js';
import { Figures } from '../../parts/named.js';
import { Pager } from '../../parts/pager.js';
import { Time } from '../../parts/time.js';
import { type Outcome, UserLink } from './tags.js';
import type { ShownPreview } from './use-preview.js';

type DonePreview = Schemas['Preview'];
type User = Schemas['PreviewedUser'];

/** The others are a click away. So totals, table and button fit into one view. */
const SHOWN_USERS = 6;

/** A user's page opens in a tab of its own: what is being decided stays. */
const UserInNewTab = ({ reference }: { readonly reference: string }) => <UserLink reference={reference} inNewTab />;

function UserTable({ users, caption }: { readonly users: readonly User[]; readonly caption: string }) {
  const balances = decimalsOf(users.flatMap(({ balance, balance_after }) => [balance, balance_after]));
  const exposures = decimalsOf(users.flatMap(({ exposure, exposure_after }) => [exposure, exposure_after]));
  return (
    <DataTable
      caption={caption}
      columns={[
        { title: 'User', text: ({ reference }) => <UserInNewTab reference={reference} /> },
        { title: 'Balance now', amount: ({ balance }) => balance, decimals: balances },
        { title: 'Balance after', amount: ({ balance_after }) => balance_after, decimals: balances },
        { title: 'Exposure now', amount: ({ exposure }) => exposure, decimals: exposures },
        { title: 'Exposure after', amount: ({ exposure_after }) => exposure_after, decimals: exposures },
      ]}
      items={users}
      keyOf={({ user_id }) => user_id}
      empty={null}
    />
  );
}

/** The users of one preview, by pages. A newer preview does not turn the page. */
function UserPages({ id }: { readonly id: number }) {
  const shownId = useSignal(id).value;
  const cursors = useSignal<readonly string[]>(['']);
  const cursor = cursors.value.at(-1) ?? '';
  const users = useResource(
    ({ get }) => get('/previews/{id}/users', { params: { path: { id: shownId }, query: { cursor } } }),
    [cursor],
  );
  const move = (to: string) => {
    const isBack = to === cursors.value.at(-2);
    cursors.value = isBack ? cursors.value.slice(0, -1) : [...cursors.value, to];
  };
  return (
    <Loaded of={users}>
      {({ data, next }) => (
        <>
          <UserTable users={data} caption={`Page ${cursors.value.length} of all users`} />
          <Pager page={{ next, previous: cursors.value.at(-2) }} onMove={move} />
        </>
      )}
    </Loaded>
  );
}

function Users({ preview }: { readonly preview: DonePreview }) {
  const isOpen = useSignal(false);
  const shown = preview.largest.slice(0, SHOWN_USERS);
  const count = formatCount(preview.users.affected);
  if (shown.length === 0) return null;
  const isWhole = shown.length === preview.users.affected;
  return (
    <>
      <UserTable
        users={shown}
        caption={isWhole ? 'Users affected' : `The ${shown.length} most affected of ${count} users`}
      />
      {!isWhole && (
        <details
          class="all-users"
          onToggle={({ currentTarget }) => {
            isOpen.value = currentTarget.open;
          }}
        >
          <summary>All {count} users</summary>
          {isOpen.value && <UserPages id={preview.id} />}
        </details>
      )}
    </>
  );
}

/** Who pays whom, when a single bet moves. */
function Sides({ preview: { bets, moved, largest } }: { preview: DonePreview }) {
  const [payer, ...payers] = largest.filter(({ balance, balance_after }) => balance_after < balance);
  const [payee, ...payees] = largest.filter(({ balance, balance_after }) => balance_after > balance);
  const isOne = bets.settled + bets.unsettled <= 1 && payers.length === 0 && payees.length === 0;
  if (!isOne || payer === undefined || payee === undefined) return null;
  return (
    <p>
      <UserInNewTab reference={payer.reference} /> pays <UserInNewTab reference={payee.reference} />{' '}
      <Amount value={moved.credit} />.
    </p>
  );
}

type Moved = Schemas['ShownMovement'];

/** How many bets and offers change, in words. */
const affectedTexts = ({ bets }: Moved): readonly string[] =>
  (
    [
      [bets.settled, 'settled'],
      [bets.unsettled, 'taken back'],
      [bets.expired_offers, 'offer expires', 'offers expire'],
      [bets.reopened_offers, 'offer opens again', 'offers open again'],
      [bets.canceled_offers, 'offer canceled', 'offers canceled'],
    ] as const
  ).flatMap(([count, one, many = one]) => (count === 0 ? [] : [`${formatCount(count)} ${count === 1 ? one : many}`]));

function PreviewFigures({ preview }: { readonly preview: Moved }) {
  const { moved, users } = preview;
  const [affected = 'None', ...others] = affectedTexts(preview);
  return (
    <Figures
      of={{
        'Money moved': <Amount value={moved.credit} />,
        'Bets affected': (
          <>
            {affected}
            {others.length > 0 && <p class="aside">{others.join(', ')}</p>}
          </>
        ),
        'Users affected': formatCount(users.affected),
      }}
    />
  );
}

const belowZeroText = (count: number): string =>
  count === 1 ? '1 user goes below zero.' : `${formatCount(count)} users go below zero.`;

/** What a change request moves: it is kept with the users that it affects most. */
export function Movement({ of }: { readonly of: Moved }) {
  const { would_succeed, refusal, users, largest, as_of } = of;
  if (!would_succeed) return <p class="fault">{refusal}</p>;
  const isWhole = largest.length === users.affected;
  return (
    <>
      {users.below_zero > 0 && <p class="note">{belowZeroText(users.below_zero)}</p>}
      <p class="aside">
        As of <Time at={as_of} />.
      </p>
      <PreviewFigures preview={of} />
      {largest.length > 0 && (
        <UserTable
          users={largest}
          caption={
            isWhole ? 'Users affected' : `The ${largest.length} most affected of ${formatCount(users.affected)} users`
          }
        />
      )}
    </>
  );
}

interface PreviewProps {
  readonly of: ShownPreview;
  /** The present outcome of the wager. */
  readonly outcome: Outcome;
}

function Done({ preview, outcome }: Omit<PreviewProps, 'of'> & { readonly preview: DonePreview }) {
  const { as_of, exact, would_succeed, refusal, users } = preview;
  if (!would_succeed) {
    return (
      <p class="fault" role="status">
        {refusal}
      </p>
    );
  }
  return (
    <>
      {users.below_zero > 0 && <p class="note">{belowZeroText(users.below_zero)}</p>}
      <p class="aside">
        As of <Time at={as_of} short />.
        {!exact &&
          ` The wager ${outcome === 'undecided' ? 'still takes offers' : 'is being settled'}: figures may change until you decide.`}
      </p>
      <PreviewFigures preview={preview} />
      <Sides preview={preview} />
      <Users preview={preview} />
    </>
  );
}

/** What the chosen operation would move; nothing before the choice. */
export function Preview({ of, outcome }: PreviewProps) {
  const { isChosen, done, failure, progress, error, reload } = of;
  if (!isChosen) return null;
  const isWaiting = done === undefined && failure === undefined && error === undefined;
  return (
    <section class="preview column" aria-label="Preview">
      {progress !== undefined && (
        <p class="aside">
          The preview is being made: {progress}% <progress aria-label="Preview" max={100} value={progress} />
        </p>
      )}
      {isWaiting && progress === undefined && <p class="waiting">Making the preview …</p>}
      {failure !== undefined && (
        <div class="fault" role="alert">
          <p>{failure}</p>
          <button type="button" onClick={reload}>
            Try again
          </button>
        </div>
      )}
      {error !== undefined && <LoadFault error={error} onRetry={reload} isRetried />}
      {done !== undefined && <Done preview={done} outcome={outcome} />}
    </section>
  );
}
