import { useSignal } from '@preact/signals';
import { Component } from 'preact';
import type { Schemas } from '../../api/api.js';
import { Select } from '../../forms/fields.js';
import { decimalsOf, formatAmount, formatCount } from '../../parts/amount.js';
import { LoadFault } from '../../parts/loaded.js';
import { Time } from '../../parts/time.js';
import { type BookState, type Level, useBook } from './follow-book.js';
import { useTrading } from './trading.js';

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
  /** Its odds as a number, where a person may trade. */
  readonly level: number | undefined;
  /** Tab reaches this one, and the arrow keys the others. */
  readonly isFirst: boolean;
}

/** A level of the book. Most rungs do not change with a frame, and are left as they are. */
class Rung extends Component<RungProps> {
  override shouldComponentUpdate(next: RungProps): boolean {
    const { amount, sum, offers, share, odds, oldest, level, isFirst } = this.props;
    const isSame = amount === next.amount && sum === next.sum && odds === next.odds && oldest === next.oldest;
    const isSameButton = (level === undefined) === (next.level === undefined) && isFirst === next.isFirst;
    return !isSame || !isSameButton || offers !== next.offers || share !== next.share;
  }

  render({ odds, amount, sum, offers, oldest, share, level, isFirst }: RungProps) {
    return (
      <tr>
        <th scope="row" class="number">
          {level === undefined ? (
            odds
          ) : (
            <button
              type="button"
              class="level"
              data-odds={level}
              tabIndex={isFirst ? 0 : -1}
              aria-label={`Trade at ${odds}`}
            >
              {odds}
            </button>
          )}
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

interface LevelsProps {
  readonly levels: readonly Level[];
  /** Undefined: the person does not trade here. */
  readonly onTrade: ((odds: number) => void) | undefined;
}

/** From a row to another one, as in a list. */
const STEPS: Readonly<Record<string, number>> = { ArrowUp: -1, ArrowDown: 1 };

function moveFocus(event: KeyboardEvent): void {
  const step = STEPS[event.key];
  const body = event.currentTarget;
  if (step === undefined || !(body instanceof HTMLElement)) return;
  const all: (Element | null)[] = [...body.querySelectorAll('button.level')];
  const at = all.indexOf(document.activeElement);
  if (at < 0) return;
  event.preventDefault();
  const next = all[Math.min(all.length - 1, Math.max(0, at + step))];
  if (next instanceof HTMLElement) next.focus();
}

/** A click anywhere on a row is one on its level. */
const tradeAt = (onTrade: (odds: number) => void) => (event: Event) => {
  const row = event.target instanceof Element ? event.target.closest('tr') : null;
  const level = row?.querySelector<HTMLElement>('button.level');
  if (level == null) return;
  level.focus();
  onTrade(Number(level.dataset.odds));
};

function Rungs({ levels, onTrade }: LevelsProps) {
  const amounts = levels.map(({ amount }) => amount);
  const decimals = decimalsOf(amounts);
  const oddsDecimals = decimalsOf(levels.map(({ odds }) => odds));
  const largest = Math.max(...amounts);
  let sum = 0;
  return (
    <tbody onClick={onTrade && tradeAt(onTrade)} onKeyDown={moveFocus}>
      {levels.map(({ odds, amount, offers, oldest }, index) => {
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
            level={onTrade && odds}
            isFirst={index === 0}
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

function LevelTable({ levels, onTrade }: LevelsProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: without it, the keyboard cannot scroll the table
    <section class={onTrade ? 'scroller ladder trade' : 'scroller ladder'} tabIndex={0} aria-label="Order book">
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
        <Rungs levels={levels} onTrade={onTrade} />
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
}

/** The open offers by odds, live. A trader of the business takes a level by a click or Enter, or offers at other odds. */
export function Ladder({ wager }: LadderProps) {
  const { reference } = wager;
  const trading = useTrading(wager);
  const depth = useSignal(USUAL_DEPTH);
  const book = useBook({ reference, depth: depth.value }).value;
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
      {trading.actions}
      {book.error !== undefined && <LoadFault error={book.error} onRetry={() => location.reload()} />}
      {book.levels.length > 0 && <LevelTable levels={book.levels} onTrade={trading.onTrade} />}
      {book.levels.length === 0 && book.at !== undefined && (
        <div class="empty">
          <p>There are no open offers on this wager.</p>
        </div>
      )}
    </section>
  );
}
