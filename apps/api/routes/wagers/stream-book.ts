import { z } from 'zod';
import { readUser } from '#accounts/users/users.js';
import { frameText } from '#http/event-stream.js';
import * as fields from '#http/fields.js';
import { readWagerId } from '#reads/open-offers.js';
import { endpoint } from '../../endpoint.js';
import { visibleAccount } from '../../guards/visible-accounts.js';
import { bookQuery, USUAL_DEPTH } from './read-book.js';
import { wagerPath } from './wager.js';

const MAX_CONFLATE_MS = 120_000;

const [first, second] = ['AQAAAAAAAAAHAAAAAAAAEmcP2Zb5uXE', 'AQAAAAAAAAAHAAAAAAAAEnvXU8s0qvk'];
const level = { odds: 2.5, amount: 30, offers: 2, oldest: '2026-01-15T18:36:00.000Z' };
const image = { wager: 'home-win', outcome: 'undecided', as_of: first, at: '2026-01-15T18:40:00.123456Z' };
const change = { as_of: second, at: '2026-01-15T18:40:02.654321Z', levels: [{ ...level, amount: 20, offers: 1 }] };
const example =
  frameText({ id: first, event: 'image', data: { ...image, levels: [level] }, retryMs: 1_000 }) +
  frameText({ id: second, event: 'change', data: change });

export const wagerBookStream = endpoint({
  method: 'get',
  path: '/wagers/:reference/book/stream',
  tag: 'Wagers',
  summary: 'Follow the order book of a wager, as a stream',
  description:
    'Server-sent events. The first frame, `image`, has the levels of the book; each `change` has those that have changed since the frame before: one with the amount 0 is not among the first `depth` levels any more. `as_of` is a position in the event log, as in the header `Ledger-As-Of` of the book. Each stream begins with an image, also one that is opened again.',
  access: 'account',
  params: wagerPath,
  query: z.object({
    ...bookQuery,
    conflate_ms: fields.strictIntegerText.pipe(z.int().min(0).max(MAX_CONFLATE_MS)).default(0).meta({
      description: 'Changes within so many milliseconds are merged into one; 0: each is a frame of its own.',
    }),
  }),
  answer: z.object({}),
  stream: { description: 'The book and its changes, as frames.', example, resumes: false },
  refusals: [
    'wager-not-found',
    'user-not-found',
    'rate-limited',
    'too-many-streams',
    'books-too-large',
    'book-too-large',
  ],
  async handle({ params, query, caller, streamHeaders: { authorization } }, { database, inListTurn, streams }) {
    const accountId = visibleAccount(caller, query.account_id);
    const { depth = USUAL_DEPTH, conflate_ms: conflateMs } = query;
    const userId = query.user_id === undefined ? undefined : BigInt(query.user_id);
    if (userId !== undefined) await readUser(database.of(accountId), accountId, { id: userId });
    const wagerId = await readWagerId(database.of(accountId), accountId, params.reference);
    const isConflated = conflateMs > 0;
    streams.assertRoom({ caller, isConflated });
    const by = {
      kind: 'book' as const,
      caller,
      isConflated,
      accountId,
      authorization,
      mayRead: (again: typeof caller) => visibleAccount(again, query.account_id) === accountId,
    };
    const open = () => streams.ofBook({ by, wagerId, depth, userId, conflateMs });
    return inListTurn(caller.account, open);
  },
});
