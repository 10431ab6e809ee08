import type { Reads, Schemas } from '../api/api.js';
import { type Resource, useResource } from '../api/resource.js';
import { isAdmin, mayDo } from '../api/session.js';
import { viewedAccount } from '../api/viewed-account.js';
import { isLive } from '../live/liveness.js';
import { Actions } from '../parts/actions.js';
import { Amount, formatCount, formatCountOf } from '../parts/amount.js';
import { addressWith } from '../parts/filters.js';
import { AsOf, Loaded } from '../parts/loaded.js';
import { Figures } from '../parts/named.js';
import { Section } from '../parts/section.js';
import { StepChart } from '../parts/step-chart.js';
import { Time } from '../parts/time.js';
import { TimeLeft } from '../parts/time-left.js';
import { Heading } from '../shell/heading.js';
import type { Page, PageProps } from '../shell/page.js';
import { AskDialog, CorrectDialog, DecideDialog } from './later-dialogs.js';
import { ByHour } from './ledger/by-hour.js';
import { ABOUT_BETS, isAboutWager } from './ledger/following.js';
import { OutcomeTag, WagerStatusTag } from './ledger/tags.js';
import { BetsOfWager } from './wager/bets-of-wager.js';
import { ClockActions, clockDialogs } from './wager/clock-actions.js';
import { EventOf } from './wager/event-label.js';
import { Ladder } from './wager/ladder.js';
import { pointsOf, useMatchedBets } from './wager/matched-bets.js';
import { PayoutByResult } from './wager/payout-by-result.js';
import { Settlement } from './wager/settlement.js';

type Wager = Schemas['WagerWithSettlement'];
type Book = Schemas['OrderBook'];

const MOST_POINTS = 400;
const states = { settling: 'tag warn', settled: 'tag good' } as const;

/** Whether it takes offers, and until when. */
function Status({ wager, book }: Pick<WagerBodyProps, 'wager' | 'book'>) {
  const { outcome, status, status_reason: reason, closes_at: closesAt, revision } = wager;
  const isPast = closesAt !== null && closesAt <= book.as_of;
  return (
    <>
      {outcome === 'undecided' ? <WagerStatusTag status={status} /> : <span class="tag">decided</span>}
      {reason !== null && (
        <p class="aside">
          <bdi>{reason}</bdi>
        </p>
      )}
      {status === 'closed' && isPast && (
        <p class="aside">
          since <Time at={closesAt} />
        </p>
      )}
      <p class="aside">Revision {formatCount(revision)}</p>
    </>
  );
}

function WagerFigures({ wager, book, resource }: WagerBodyProps) {
  const last = book.last_matched;
  const { outcome, settlement, status, closes_at: closesAt } = wager;
  const isClosing = closesAt !== null && outcome === 'undecided' && status !== 'closed';
  return (
    <Figures
      of={{
        Status: <Status wager={wager} book={book} />,
        'Closes in': isClosing && (
          <>
            <TimeLeft
              until={closesAt}
              asOf={book.as_of}
              cameMs={resource.moment?.cameMs ?? 0}
              onEnd={resource.reload}
            />
            <p class="aside">
              <Time at={closesAt} />
            </p>
          </>
        ),
        Event: (wager.event !== null || wager.starts_at !== null) && <EventOf wager={wager} />,
        Outcome: (
          <>
            <OutcomeTag outcome={outcome} />{' '}
            {settlement.state !== 'undecided' && <span class={states[settlement.state]}>{settlement.state}</span>}
          </>
        ),
        Matched: (
          <>
            <Amount value={book.matched_amount} />
            <p class="aside">in {formatCountOf(book.matched_bets, 'bet')}</p>
          </>
        ),
        Open: (
          <>
            <Amount value={book.open_amount} />
            <p class="aside">in {formatCountOf(book.open_offers, 'offer')}</p>
          </>
        ),
        'Last match':
          last === null ? (
            '–'
          ) : (
            <>
              <Amount value={last.amount} /> at <Amount value={last.odds} />
              <p class="aside">
                <Time at={last.at} />
              </p>
            </>
          ),
      }}
    />
  );
}

interface ChartProps {
  readonly reference: string;
  /** How many bets of the wager are matched. */
  readonly total: number;
}

function MatchedChart({ reference, total }: ChartProps) {
  const loaded = useMatchedBets(reference);
  return (
    <Section title="Matched over time" of={loaded}>
      <Loaded of={loaded} waiting="Reading the matched bets …">
        {(bets) => {
          const { matches, isWhole } = bets;
          if (matches.length < 2) {
            return (
              <div class="empty">
                <p>A chart begins with the second matched bet.</p>
              </div>
            );
          }
          const of = isWhole ? '' : `, of the ${formatCount(matches.length)} largest of ${formatCount(total)} bets`;
          return (
            <div class="panel">
              <StepChart title={`Matched amount${of}`} unit="Matched" points={pointsOf(bets, MOST_POINTS)} />
            </div>
          );
        }}
      </Loaded>
    </Section>
  );
}

interface WagerBodyProps {
  readonly wager: Wager;
  readonly book: Book;
  readonly resource: Resource<object>;
}

function WagerBody({ wager, book, resource }: WagerBodyProps) {
  const { reference } = wager;
  return (
    <>
      <AsOf of={resource} />
      <WagerFigures wager={wager} book={book} resource={resource} />
      <Settlement wager={wager} />
      {viewedAccount.value === undefined && mayDo('trader') && <ClockActions wager={wager} onDone={resource.reload} />}
      <WagerActions wager={wager} onDone={resource.reload} />
      <p>
        <a href={addressWith('/events', { wager: reference })}>Everything that happened to this wager</a>
      </p>
      <Ladder wager={wager} />
      <PayoutByResult wager={wager} />
      <MatchedChart reference={reference} total={book.matched_bets} />
      <ByHour wager={reference} />
      <BetsOfWager reference={reference} />
    </>
  );
}

/** A business decides its own wagers, once; an admin corrects every wager. */
function WagerActions({ wager, onDone }: Pick<WagerBodyProps, 'wager'> & { readonly onDone: () => void }) {
  const mayDecide = viewedAccount.value === undefined && wager.outcome === 'undecided';
  return (
    <Actions
      of={{
        decide: {
          text: 'Decide …',
          key: 'd',
          least: 'settler',
          isMain: true,
          isOff: !isLive.value,
          isHidden: !mayDecide,
          dialog: (close) => <DecideDialog wager={wager} onClose={close} />,
        },
        ask: {
          text: 'Ask to decide …',
          least: 'settler',
          isOff: !isLive.value,
          isHidden: !mayDecide,
          dialog: (close) => <AskDialog wager={wager} onClose={close} />,
        },
        ...clockDialogs({ wager, onDone, isHidden: !mayDecide, isOwn: viewedAccount.value === undefined }),
        correct: {
          text: 'Correct the outcome …',
          least: 'owner',
          isHidden: !isAdmin(),
          isForAdmins: true,
          dialog: (close) => <CorrectDialog wager={wager} onClose={close} />,
        },
      }}
    />
  );
}

/** The page follows the levels of the book by a stream: here are its sums alone. */
const LEVELS = 1;

function WagerPage({ params }: PageProps) {
  const { reference = '' } = params;
  const load = async ({ get }: Reads) => {
    const { data } = await get('/wagers/{reference}', { params: { path: { reference }, query: { depth: LEVELS } } });
    const { book, ...wager } = data;
    return { wager, book: book as Book };
  };
  const loaded = useResource(load, [reference], {
    types: ABOUT_BETS,
    changedBy: isAboutWager(reference),
  });
  return (
    <>
      <Heading text={`Wager ${reference}`} />
      <Loaded of={loaded}>{({ wager, book }) => <WagerBody wager={wager} book={book} resource={loaded} />}</Loaded>
    </>
  );
}

export const wager: Page = { path: '/wagers/:reference', title: 'Wager', view: WagerPage };
