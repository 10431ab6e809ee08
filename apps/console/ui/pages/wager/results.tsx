import { decimalsOf, formatCount } from '../../parts/amount.js';
import { DataTable } from '../../parts/data-table.js';
import { LoadFault } from '../../parts/loaded.js';
import { DECIDED, type DecidedOutcome, type Outcome, outcomeText, UserById, UserLink } from '../ledger/tags.js';
import type { Figures, UserFigures } from './movement-sums.js';
import { MOST_BETS, type WagerBets } from './wager-bets.js';

const MOST_USERS = 8;
/** Push and void are the same to the ledger's balances. */
const SHOWN = DECIDED.filter((outcome) => outcome !== 'void');
const titleOf = (outcome: DecidedOutcome) => (outcome === 'push' ? 'Push, void' : outcomeText[outcome]);

export interface ResultsProps {
  readonly bets: WagerBets;
  /** The wager's own count of its matched bets. */
  readonly total: number;
  readonly present: Outcome;
  readonly account: number | undefined;
}

/** How much of the wager the figures cover. */
export function Coverage({ bets, total }: Pick<ResultsProps, 'bets' | 'total'>) {
  const { isReading, isWhole, error } = bets.state.value;
  const { bets: read, moving } = bets.sums;
  const fixed = read - moving;
  return (
    <>
      {isReading && (
        <p class="aside">
          Reading the matched bets: {formatCount(read)} of {formatCount(total)}{' '}
          <progress aria-label="Bets that were read" max={Math.max(total, read)} value={read} />
        </p>
      )}
      {!isReading && isWhole && (
        <p class="aside">
          From all {formatCount(read)} matched bets
          {fixed > 0 && `, of which ${formatCount(fixed)} do not move: inactive, or with an outcome of their own`}.
        </p>
      )}
      {!isReading && !isWhole && error === undefined && (
        <div class="note">
          <p>
            These figures cover the {formatCount(read)} largest of {formatCount(total)} matched bets.
          </p>
          {read < MOST_BETS && (
            <button type="button" onClick={() => void bets.readTo(MOST_BETS)}>
              Read {total > MOST_BETS ? `${formatCount(MOST_BETS)} of them` : 'the others'}
            </button>
          )}
        </div>
      )}
      {error !== undefined && <LoadFault error={error} onRetry={() => void bets.readTo(1)} />}
    </>
  );
}

interface ResultRow {
  readonly outcome: DecidedOutcome;
  readonly toRequesters: number;
}

/** Each result moves all requesters the same way: they get what the acceptors pay, or pay it to them. */
function ResultSums({ figures }: { readonly figures: Figures }) {
  const items = SHOWN.map((outcome): ResultRow => ({ outcome, toRequesters: figures[outcome] }));
  const decimals = decimalsOf(Object.values(figures));
  return (
    <DataTable
      caption="In all"
      columns={[
        { title: 'Result', text: ({ outcome }) => <span class="whole">{titleOf(outcome)}</span> },
        { title: 'To the requesters', amount: ({ toRequesters }) => Math.max(0, toRequesters), decimals },
        { title: 'To the acceptors', amount: ({ toRequesters }) => Math.max(0, -toRequesters), decimals },
      ]}
      items={items}
      keyOf={({ outcome }) => outcome}
      empty={null}
    />
  );
}

export interface UserTableProps extends Pick<ResultsProps, 'bets' | 'present' | 'account'> {
  readonly outcomes?: readonly DecidedOutcome[];
  readonly count?: number;
}

export function UserTable({ bets, present, account, outcomes = SHOWN, count = MOST_USERS }: UserTableProps) {
  const items = bets.sums.mostAffected(present, count);
  const decimals = decimalsOf(items.flatMap(({ figures }) => outcomes.map((outcome) => figures[outcome])));
  return (
    <DataTable
      caption={`The ${items.length} most affected of ${formatCount(bets.sums.users)} users`}
      columns={[
        {
          title: 'User',
          text: ({ userId }: UserFigures) => {
            const reference = bets.names.get(userId);
            return reference === undefined ? (
              <UserById id={userId} account={account} />
            ) : (
              <UserLink reference={reference} account={account} />
            );
          },
        },
        ...outcomes.map((outcome) => ({
          title: titleOf(outcome),
          amount: ({ figures }: UserFigures) => figures[outcome],
          decimals,
        })),
      ]}
      items={items}
      keyOf={({ userId }) => userId}
      empty={null}
    />
  );
}

/** What each result of the wager would move, beside what its present outcome has moved. */
export function Results({ bets, total, present, account }: ResultsProps) {
  const { isReading } = bets.state.value;
  const isDecided = present !== 'undecided';
  if (total === 0 && !isReading) {
    return (
      <div class="empty">
        <p>No bet is matched yet, so no result moves money. It would only expire the open offers.</p>
      </div>
    );
  }
  return (
    <>
      {isDecided && (
        <p class="aside">
          The present outcome is {outcomeText[present].toLowerCase()}. This is what a correction of it would move.
        </p>
      )}
      <Coverage bets={bets} total={total} />
      <ResultSums figures={bets.sums.ofRequesters(present)} />
      <UserTable bets={bets} present={present} account={account} />
    </>
  );
}
