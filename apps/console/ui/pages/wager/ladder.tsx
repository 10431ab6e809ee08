import { useSignal } from '@preact/signals';
import { Component } from 'preact';
import type { Schemas } from '../../api/api.js';
import { Select } from '../../forms/fields.js';
import { decimalsOf, formatAmount, formatCount } from '../../parts/amount.js';
import { LoadFault } from '../../parts/loaded.js';
import { Time } from '../../parts/time.js';
import { type BookState, type Level, useBook } from './follow-book.js';

const DEPTHS = ['10', '25', '100'].map((depth) => [depth, depth] as const);
const USUAL_DEPTH = 25;
const PERCENT = 100;

interface RungProps {
  readonly odds: string;
  readonly amount: string;
  readonly sum: string;
  readonly offers: number;
  readonly oldest: string;
  /** The part of the largest amount, in percent. */
  readonly share: number;
}

/** A level of the book. Most rungs do not change with a frame, and are left as they are. */
class Rung extends Component<RungProps> {
  override shouldComponentUpdate(next: RungProps): boolean {
    const { amount, sum, offers, share, odds, oldest } = this.props;
    const isSame = amount === next.amount && sum === next.sum && odds === next.odds && oldest === next.oldest;
    return !isSame || offers !== next.offers || share !== next.share;
  }

  render({ odds, amount, sum, offers, oldest, share }: RungProps) {
    return (
      <tr>
        <th scope="row" class="number">
          {odds}
        </th>
        <td class="bar-cell">
          <svg class="bar-of-row" aria-hidden="true">
            <rect class="bar" width={`${share}%`} height="100%" />
          </svg>
        </td>
        <td class="number">{amount}</td>
        <td class="number">{sum}</td>
        <td class="number">{formatCount(offers)}</td>
        <td>
          <Time at={oldest} short />
        </td>
      </tr>
    );
  }
}

function Rungs({ levels }: { readonly levels: readonly Level[] }) {
  const amounts = levels.map(({ amount }) => amount);
  const decimals = decimalsOf(amounts);
  const oddsDecimals = decimalsOf(levels.map(({ odds }) => odds));
  const largest = Math.max(...amounts);
  let sum = 0;
  return (
    <tbody>
      {levels.map(({ odds, amount, offers, oldest }) => {
        sum += amount;
        return (
          <Rung
            key={odds}
            odds={formatAmount(odds, oddsDecimals)}
            amount={formatAmount(amount, decimals)}
            sum={formatAmount(sum, decimals)}
            offers={offers}
            oldest={oldest}
            share={Math.round((PERCENT * amount) / largest)}
          />
        );
      })}
    </tbody>
  );
}

function State({ book: { at, silentSince } }: { readonly book: BookState }) {
  if (silentSince !== undefined) {
    return (
      <p class="as-of">
        <span class="tag warn">not live</span> since <Time at={silentSince} short />
      </p>
    );
  }
  if (at === undefined) return <p class="as-of waiting">Loading …</p>;
  return (
    <p class="as-of">
      <span class="tag good">live</span> last change <Time at={at} short />
    </p>
  );
}

function LevelTable({ levels }: { readonly levels: readonly Level[] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: without it, the keyboard cannot scroll the table
    <section class="scroller ladder" tabIndex={0} aria-label="Order book">
      <table>
        <caption class="for-readers">Open offers by odds, lowest first</caption>
        <thead>
          <tr>
            <th scope="col" class="number">
              Odds
            </th>
            <td class="bar-cell" />
            <th scope="col" class="number">
              Open stake
            </th>
            <th scope="col" class="number">
              Cumulative
            </th>
            <th scope="col" class="number">
              Offers
            </th>
            <th scope="col">Oldest</th>
          </tr>
        </thead>
        <Rungs levels={levels} />
      </table>
    </section>
  );
}

const shut = {
  suspended: 'Suspended: nobody makes or accepts offers. Open ones keep their places until the wager is resumed.',
  closed: 'Closed: nobody makes or accepts offers. Open ones can only be canceled.',
} as const;

/** Why nobody takes what the book shows. */
function Shut({ wager: { outcome, status, status_reason: reason } }: Pick<LadderProps, 'wager'>) {
  const isShut = outcome === 'undecided' && status !== 'open';
  return (
    <div role="status">
      {isShut && (
        <p class="note">
          {shut[status]} {reason !== null && <bdi>({reason})</bdi>}
        </p>
      )}
    </div>
  );
}

export interface LadderProps {
  readonly wager: Pick<Schemas['ListedWager'], 'reference' | 'outcome' | 'status' | 'status_reason'>;
  readonly account: number | undefined;
}

/** The open offers by odds, live. */
export function Ladder({ wager, account }: LadderProps) {
  const depth = useSignal(USUAL_DEPTH);
  const book = useBook({ reference: wager.reference, account, depth: depth.value }).value;
  return (
    <section class="section">
      <header>
        <h2>Order book</h2>
        <State book={book} />
        <label class="beside">
          Levels{' '}
          <Select
            value={String(depth.value)}
            choices={DEPTHS}
            onChange={(value) => {
              depth.value = Number(value);
            }}
          />
        </label>
      </header>
      <Shut wager={wager} />
      {book.error !== undefined && <LoadFault error={book.error} onRetry={() => location.reload()} />}
      {book.levels.length > 0 && <LevelTable levels={book.levels} />}
      {book.levels.length === 0 && book.at !== undefined && (
        <div class="empty">
          <p>There are no open offers on this wager.</p>
        </div>
      )}
    </section>
  );
}
