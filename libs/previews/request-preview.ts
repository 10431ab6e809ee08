import { ZERO } from '#core/money.js';
import { type OutboxContext, withOutbox } from '#jobs/outbox.js';
import { type Database, type Tx, withTx } from '#platform/database/database.js';
import { computePreview } from './compute-preview.js';
import {
  LARGEST_USERS,
  type Preview,
  type PreviewedUser,
  type PreviewFigures,
  type PreviewRequest,
} from './preview.js';
import { assertFewRunning, insertPreview } from './preview-rows.js';
import { insertUsers, withReferences } from './user-pages.js';
import type { SummedUser } from './user-sums.js';

/** With more bets a worker computes it. */
const BETS_OF_REQUEST = 20_000;

/** A refusal that comes before any look at the ledger: there is no such account, or no such bet. */
export async function requestRefused(
  context: PreviewContext,
  request: PreviewRequest,
  refusal: string,
): Promise<Preview> {
  const bets = { settled: 0, unsettled: 0, expiredOffers: 0, reopenedOffers: 0, canceledOffers: 0 };
  const [{ asOf }] = await context.database.shared.$queryRaw<[{ asOf: Date }]>`SELECT now() AS "asOf"`;
  const nothing = { revision: 0, isExact: true, bets, moved: ZERO, usersAffected: 0, usersBelowZero: 0 };
  return storePreview(context, request, { figures: { ...nothing, asOf, refusal }, users: [], largest: [] });
}

interface Computed {
  readonly figures: PreviewFigures;
  readonly users: readonly SummedUser[];
  readonly largest: readonly PreviewedUser[];
}

async function computeNow(snapshot: Tx, request: PreviewRequest, goOn: () => void): Promise<Computed | undefined> {
  const computed = await computePreview(snapshot, request, { mostBets: BETS_OF_REQUEST, goOn });
  if (computed === 'too-large') return undefined;
  const users = [...computed.users];
  const largest = await withReferences(snapshot, request.ledgerAccountId, users.slice(0, LARGEST_USERS));
  return { figures: computed.figures, users, largest };
}

export interface PreviewContext extends OutboxContext {
  readonly database: Database;
  /** Throws when nobody waits for the preview any more. */
  readonly goOn: () => void;
}

/** Computes a preview, or leaves it to a worker when it is large. It holds one connection at a time. */
export async function requestPreview(context: PreviewContext, request: PreviewRequest): Promise<Preview> {
  const { database, goOn } = context;
  const ledger = database.of(request.ledgerAccountId);
  const computed = await withTx(ledger, (snapshot) => computeNow(snapshot, request, goOn), 'RepeatableRead');
  goOn();
  return storePreview(context, request, computed);
}

function storePreview(
  context: OutboxContext,
  request: PreviewRequest,
  computed: Computed | undefined,
): Promise<Preview> {
  return withOutbox(context, async (tx, addEntry) => {
    if (computed === undefined) await assertFewRunning(tx, request.accountId);
    const key = await insertPreview(tx, request, computed?.figures);
    if (computed === undefined) {
      await addEntry(request.accountId, 'make-preview', { previewId: String(key.id) });
      return { ...key, state: 'running', progress: 0, figures: undefined, largest: [], failure: null };
    }
    await insertUsers(tx, key, { users: computed.users, part: 0 });
    const { figures, largest } = computed;
    return { ...key, state: 'done', progress: 100, figures, largest, failure: null };
  });
}
