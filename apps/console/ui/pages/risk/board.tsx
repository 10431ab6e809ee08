import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Reads, Schemas } from '../../api/api.js';
import { type Resource, type ResourceOptions, useResource } from '../../api/resource.js';
import { Amount, formatAmount, formatCountOf } from '../../parts/amount.js';
import type { Column, Sort } from '../../parts/data-table.js';
import { Sparkline } from '../../parts/sparkline.js';
import { formatTimeLeft, TimeLeft } from '../../parts/time-left.js';
import { outcomeText, UserLink, WagerLink, WagerStatusTag } from '../ledger/tags.js';
import { EventLink } from '../wager/event-label.js';

export type Board = Schemas['WagersAtRisk'];
export type AtRisk = Schemas['WagerAtRisk'];
export type RiskyUsers = Schemas['UsersAtRisk'];
export type RiskyUser = Schemas['UserAtRisk'];

/** For so long the API shares an answer, and longer when it was long to find. */
const SHARED_MS = 3_000;
/** An event is committed so soon after its time. */
const COMMITTED_MS = 1_000;
const SECOND_MS = 1_000;

/** What the API shares between callers may lack the last event: it is loaded until it has it. */
export function useShared<Body extends { readonly as_of: string }>(
  load: (reads: Reads) => Promise<Body>,
  dependencies: readonly unknown[],
  options: Pick<ResourceOptions, 'types'>,
): Resource<Body> {
  const lastRef = useRef(0);
  const shared = useResource(load, dependencies, {
    ...options,
    changedBy({ at }) {
      lastRef.current = Math.max(lastRef.current, Date.parse(at) + COMMITTED_MS);
      return true;
    },
    isKept: true,
    pauseMs: SHARED_MS,
  });
  const { body, reload } = shared;
  useEffect(() => {
    if (body === undefined || Date.parse(body.as_of) >= lastRef.current) return;
    const timer = setTimeout(reload, SHARED_MS);
    return () => clearTimeout(timer);
  }, [body]);
  return shared;
}

/** Named by the moment of its figures: an answer comes later than that. */
export const figured = <Body extends { readonly as_of: string }>(of: Resource<Body>): Resource<Body> => {
  const { body, moment } = of;
  return body === undefined || moment === undefined ? of : { ...of, moment: { ...moment, at: new Date(body.as_of) } };
};

const resultOf = (outcome: 'win' | 'loss'): string => outcomeText[outcome].toLowerCase();

const ageOf = ({ created_at }: AtRisk, asOf: string): string =>
  formatTimeLeft(Math.max(0, Math.floor((Date.parse(asOf) - Date.parse(created_at)) / SECOND_MS)));

const total = (amount: number | undefined): ComponentChildren =>
  amount === undefined ? undefined : <Amount value={amount} />;

/** The largest comes first until its title is pressed again. */
export const nextOrder = ({ by, isDescending }: Omit<Sort, 'onSort'>, pressed: string) => ({
  by: pressed,
  isDescending: !(pressed === by && isDescending),
});

/** The greatest hour is named as well: a line has no scale. */
function labelOf({ matched_by_hour: hours }: AtRisk): string {
  const [sum, most] = [hours.reduce((one, other) => one + other, 0), Math.max(...hours)];
  const ago = hours.length - 1 - hours.lastIndexOf(most);
  const when = ago === 0 ? 'this hour' : `${formatCountOf(ago, 'hour')} ago`;
  return sum === 0
    ? `Nothing matched in ${hours.length} hours`
    : `Matched in ${hours.length} hours: ${formatAmount(sum)}, most ${when}: ${formatAmount(most)}`;
}

/** What stands of each wager on every board. */
const figureColumns = ({ body }: Resource<Board>): readonly Column<AtRisk>[] => [
  {
    title: 'Wager',
    text: ({ reference }) => <WagerLink reference={reference} />,
    total: body && formatCountOf(body.totals.wagers, 'wager'),
  },
  {
    title: 'Worst case',
    amount: ({ worst_case: worst }) => worst?.amount,
    sortedBy: 'worst_case',
    total: total(body?.totals.worst_case),
  },
  { title: 'Worst at', text: ({ worst_case: worst }) => worst !== null && worst.amount > 0 && resultOf(worst.outcome) },
  { title: 'Largest loss', amount: ({ largest_loss: loss }) => loss?.amount, sortedBy: 'largest_loss' },
  {
    title: 'Lost by',
    text: ({ largest_loss: loss }) =>
      loss !== null && (
        <>
          <UserLink reference={loss.user_reference} /> at&nbsp;{resultOf(loss.outcome)}
        </>
      ),
  },
  {
    title: 'Matched',
    amount: ({ matched_amount: amount }) => amount,
    sortedBy: 'matched_amount',
    total: total(body?.totals.matched_amount),
  },
  {
    title: 'Last 24 hours',
    text: (wager) => <Sparkline label={labelOf(wager)} values={wager.matched_by_hour} />,
  },
];

const closesIn = ({ moment, reload }: Resource<Board>): Column<AtRisk> => ({
  title: 'Closes in',
  sortedBy: 'closes_at',
  text: ({ closes_at: until, status }) =>
    moment !== undefined &&
    until !== null &&
    status !== 'closed' && <TimeLeft until={until} asOf={moment.at} cameMs={moment.cameMs} onEnd={reload} />,
});

/** The columns of a board beside other figures. */
export const shortColumns = (board: Resource<Board>): readonly Column<AtRisk>[] => [
  ...figureColumns(board),
  {
    title: 'Open stake',
    amount: ({ open_amount: amount }) => amount,
    sortedBy: 'open_amount',
    total: total(board.body?.totals.open_amount),
  },
  closesIn(board),
  { title: 'Last odds', amount: ({ last_odds: odds }) => odds, sortedBy: 'last_odds' },
  { title: 'Age', text: (wager) => ageOf(wager, board.body?.as_of ?? wager.created_at), sortedBy: 'created_at' },
];

export const boardColumns = (board: Resource<Board>): readonly Column<AtRisk>[] => [
  ...shortColumns(board),
  { title: 'Status', text: ({ status }) => <WagerStatusTag status={status} /> },
  {
    title: 'Event',
    text: ({ event }) => event !== null && <EventLink event={event} />,
  },
];

export const userColumns = (totals?: RiskyUsers['totals']): readonly Column<RiskyUser>[] => [
  {
    title: 'User',
    text: ({ user_reference: reference }) => <UserLink reference={reference} />,
    total: totals && formatCountOf(totals.exposed_users, 'exposed user'),
  },
  { title: 'Name', text: ({ user_name: name }) => <bdi>{name}</bdi> },
  {
    title: 'Exposure',
    amount: ({ exposure }) => exposure,
    sortedBy: 'exposure',
    total: total(totals?.exposure),
  },
  { title: 'P&L today (UTC)', amount: ({ profit_today: profit }) => profit, sortedBy: 'profit_today' },
  { title: 'Balance', amount: ({ balance }) => balance },
  { title: 'Available', amount: ({ available }) => available },
];
