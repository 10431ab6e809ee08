import { ZERO } from '#core/money.js';
import { type OutboxContext, withOutbox } from '#jobs/outbox.js';
import { type Database, type Tx, withTx } from '#platform/database/database.js';
import { placementOf } from '#platform/database/placement.js';
import { computePreview } from './compute-preview.js';
import type { Preview, PreviewedUser, PreviewFigures, PreviewRequest } from './preview.js';
import { assertRoomForPreview, insertPreview, insertUsers } from './preview-rows.js';

/** With more bets a worker computes it. */
const BETS_OF_REQUEST = 20_000;

/** A refusal that comes before any look at the ledger: there is no such account, or no such bet. */
export async function requestRefused(
  context: PreviewContext,
  request: PreviewRequest,
  refusal: string,
): Promise<Preview> {
  await assertRoomForPreview(context.database, request.accountId);
  const bets = { settled: 0, unsettled: 0, expiredOffers: 0, reopenedOffers: 0, canceledOffers: 0 };
  const [{ asOf }] = await context.database.$queryRaw<[{ asOf: Date }]>`SELECT now() AS "asOf"`;
  const nothing = { revision: 0, isExact: true, bets, moved: ZERO, usersAffected: 0, usersBelowZero: 0 };
  return storePreview(context, request, { figures: { ...nothing, asOf, refusal }, users: [] });
}

interface Computed {
  readonly figures: PreviewFigures;
  readonly users: readonly PreviewedUser[];
}

/** All users at once: a request holds one connection at a time. */
async function computeNow(snapshot: Tx, request: PreviewRequest): Promise<Computed | undefined> {
  const computed = await computePreview(snapshot, request, { mostBets: BETS_OF_REQUEST });
  if (computed === 'too-large') return undefined;
  const users: PreviewedUser[] = [];
  for await (const batch of computed.users) users.push(...batch);
  return { figures: computed.figures, users };
}

export interface PreviewContext extends OutboxContext {
  readonly database: Database;
}

/** Computes a preview, or leaves it to a worker when it is large. */
export async function requestPreview(context: PreviewContext, request: PreviewRequest): Promise<Preview> {
  const { database } = context;
  await assertRoomForPreview(database, request.accountId);
  const ledger = placementOf(database, request.ledgerAccountId);
  const computed = await withTx(ledger, (snapshot) => computeNow(snapshot, request), 'RepeatableRead');
  return storePreview(context, request, computed);
}

function storePreview(
  context: OutboxContext,
  request: PreviewRequest,
  computed: Computed | undefined,
): Promise<Preview> {
  return withOutbox(context, async (tx, addEntry) => {
    const key = await insertPreview(tx, request, computed?.figures);
    if (computed === undefined) {
      await addEntry(request.accountId, 'make-preview', { previewId: String(key.id) });
      return { ...key, state: 'running', progress: 0, figures: undefined, firstUsers: [], failure: null };
    }
    await insertUsers(tx, key, { users: computed.users, part: 0 });
    const { figures, users: firstUsers } = computed;
    return { ...key, state: 'done', progress: 100, figures, firstUsers, failure: null };
  });
}
