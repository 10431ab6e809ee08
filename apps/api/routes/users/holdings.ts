import { z } from 'zod';
import { readUser } from '#accounts/users/users.js';
import type { Tx } from '#platform/database/database.js';
import type { ParsedCursor } from '#reads/cursor.js';
import { listOpenBetsIn } from '#reads/open-bet-list.js';
import { listPositionsIn } from '#reads/position-list.js';
import { listPage } from '../../fields/list-page.js';
import { cursor } from '../../fields/lists.js';
import { openBetPage, presentOpenBets } from '../bets/list-open.js';
import { positionPage, presentPositions } from './list-positions.js';
import { presentUser, user } from './user.js';

// What a user has now, which a statement shows beside it: all of one moment.

const PER_PAGE = 25;

export const holdings = z
  .strictObject({ user, positions: positionPage, open_offers: openBetPage })
  .meta({ id: 'Holdings', description: `A user, its positions and its open offers, ${PER_PAGE} of each to a page.` });

const pageOf = (list: string) =>
  cursor.meta({ description: `With \`include=holdings\`: the page of its ${list}; the first one, unless given.` });

export const holdingsFields = {
  include: z
    .enum(['holdings'])
    .optional()
    .meta({ description: 'Also what the user has now, of one moment with the statement.' }),
  positions_cursor: pageOf('positions'),
  offers_cursor: pageOf('open offers'),
};

type GivenCursor = ParsedCursor | 'first' | undefined;

interface HoldingsQuery {
  readonly include?: 'holdings' | undefined;
  readonly positions_cursor?: GivenCursor;
  readonly offers_cursor?: GivenCursor;
}

export const withHoldings = <Schema extends z.ZodType<HoldingsQuery & { readonly format?: string | undefined }>>(
  query: Schema,
): Schema =>
  query
    .refine(({ include, format }) => include === undefined || format !== 'csv', {
      path: ['include'],
      message: 'must not be used with format=csv',
    })
    .refine(
      ({ include, positions_cursor: positions, offers_cursor: offers }) =>
        include !== undefined || (positions === undefined && offers === undefined),
      { path: ['include'], message: 'must be holdings for a cursor of its lists' },
    );

/** Inside the snapshot of the statement. */
export async function readHoldings(
  snapshot: Tx,
  account: bigint,
  reference: string,
  query: HoldingsQuery,
): Promise<z.output<typeof holdings>> {
  const found = await readUser(snapshot, account, { reference });
  const scope = { account, userId: found.id };
  const listed = (list: string, at: GivenCursor = 'first') =>
    listPage({ per_page: PER_PAGE, cursor: at }, { list, ...scope });
  const positions = listed('holdings positions', query.positions_cursor);
  const offers = listed('holdings offers', query.offers_cursor);
  const openOffers = await listOpenBetsIn(snapshot, {
    accountIds: [account],
    userIds: [found.id],
    sortBy: 'created_at',
    descending: false,
    page: offers.page,
  });
  return {
    user: presentUser(found),
    positions: presentPositions(
      await listPositionsIn(snapshot, account, { userId: found.id, page: positions.page }),
      positions,
    ),
    open_offers: presentOpenBets(openOffers, offers),
  };
}
