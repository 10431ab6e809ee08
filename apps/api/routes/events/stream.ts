import { z } from 'zod';
import { readUser } from '#accounts/users/users.js';
import { BEGINNING, type EventPosition, encodePosition } from '#events/event-position.js';
import { frameText } from '#http/event-stream.js';
import * as fields from '#http/fields.js';
import type { EventPage } from '#reads/event.js';
import { readEventPage, readHead } from '#reads/event-log.js';
import { endpoint } from '../../endpoint.js';
import { visibleAccount } from '../../guards/visible-accounts.js';
import { logPositionOf } from '../../streams/event-batch.js';
import { eventExample } from './event.js';
import { eventFilters, filterOf, NOW, namesOneUser, notBothUsers, positionIn } from './event-filters.js';

/** So many events are read at once for a stream that has fallen behind. */
const READ_AT_ONCE = 200;
const MAX_CONFLATE_MS = 120_000;

const { cursor } = eventExample;
const example =
  frameText({ id: cursor, event: 'bookmark', data: { cursor }, retryMs: 1_000 }) +
  frameText({ id: cursor, event: eventExample.type, data: eventExample });

export const eventStream = endpoint({
  method: 'get',
  path: '/events/stream',
  tag: 'Events',
  summary: 'Follow what happens, as a stream',
  description:
    'Server-sent events. The `id` of a frame is a cursor, its `event` the type, its `data` an event as `GET /events` answers it. `bookmark` frames say how far the stream has got, also past what filters leave out; `status` frames say how late it is; an `end` frame says why it ends. A reader that connects again with `Last-Event-ID` misses nothing.',
  access: 'account',
  query: z
    .object({
      after: z.string().optional().meta({
        description:
          'A cursor: only what came after it. `now`: from now on. `Last-Event-ID` wins over it. Without both: from the beginning of the log.',
      }),
      ...eventFilters,
      conflate_ms: fields.strictIntegerText.pipe(z.int().min(0).max(MAX_CONFLATE_MS)).default(0).meta({
        description:
          'For readers that show what happens: events of so many milliseconds come together, and of more than 100 the newest 100, behind a `skipped` frame that says how many others there were, and of which types. 0: each event comes, as soon as it can.',
      }),
    })
    .refine(namesOneUser, notBothUsers),
  answer: z.object({}),
  stream: { description: 'The events, as frames.', example, resumes: true },
  refusals: ['user-not-found', 'history-restored', 'rate-limited', 'too-many-streams'],
  async handle({ query, caller, streamHeaders }, { database, reads, inListTurn, streams }) {
    const { lastEventId, authorization } = streamHeaders;
    const accountId = visibleAccount(caller, query.account_id);
    const isFromNow = lastEventId === undefined && query.after === NOW;
    const given = isFromNow ? undefined : (lastEventId ?? query.after ?? encodePosition(accountId, BEGINNING));
    const after = positionIn('after', given, accountId);
    const isConflated = query.conflate_ms > 0;
    streams.assertRoom({ caller, isConflated });
    const { user_reference: reference } = query;
    const named =
      reference === undefined ? undefined : await readUser(database.of(accountId), accountId, { reference });
    const filter = filterOf({ ...query, user_id: named?.id ?? query.user_id });
    const read = (position: EventPosition): Promise<EventPage> => {
      const request = { accountId, after: position, limit: READ_AT_ONCE, ...filter };
      return inListTurn(caller.account, () => reads.run((from) => readEventPage(from, request)));
    };
    const first = after && (await read(after));
    const head = logPositionOf(accountId, first?.head ?? (await readHead(database, accountId)));
    const by = {
      kind: 'events' as const,
      caller,
      isConflated,
      accountId,
      authorization,
      mayRead: (again: typeof caller) => visibleAccount(again, query.account_id) === accountId,
    };
    const from = after === undefined || given === undefined ? head : { seq: after.seq, cursor: given };
    return streams.ofEvents({ by, filter, from, head, first, conflateMs: query.conflate_ms, read });
  },
});
