import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import { z } from 'zod';
import { BEGINNING, decodePosition, encodePosition } from '#events/event-position.js';
import { JSON_TYPE, TextAnswer } from '#http/answer.js';
import * as fields from '#http/fields.js';
import { formerly } from '#http/request-input.js';
import type { QuotaHolder } from '#platform/quotas/quota-use.js';
import type { EventPage, ListedEventPage } from '#reads/event.js';
import { isFilter, readEventPage, readEventPageBack, readHead } from '#reads/event-log.js';
import { presentEvent } from '#reads/shown-event.js';
import { endpoint } from '../../endpoint.js';
import { createdFilters, notBoth, onlySort, sortDirection } from '../../fields/lists.js';
import { visibleAccount } from '../../guards/visible-accounts.js';
import type { ApiServices } from '../../services.js';
import { cursorText, event, eventExample } from './event.js';
import { eventFilters, filterOf, NOW, namesOneUser, notBothUsers, positionIn } from './event-filters.js';

const MAX_LIMIT = 1_000;
const MAX_WAIT_MS = 30_000;
/** A reader whose filters leave out what comes reads the log no more often. */
const READ_AGAIN_MS = 100;

const pageQuery = z.object({
  after: z.string().optional().meta({
    description:
      'A `cursor`, a `next` or a `Ledger-As-Of`: only what came after it. `now`: what comes from now on. Without it: from the beginning.',
  }),
  before: z.string().optional().meta({
    description:
      'With `sort_direction=desc`, a `cursor`, a `next` or a `Ledger-As-Of`: only what came before it. Without it: from the end of the log.',
  }),
  cursor: z
    .string()
    .refine((text) => text === '' || decodePosition(text) !== undefined, 'must be a cursor')
    .optional()
    .meta({ description: 'The same as `after`, or with `sort_direction=desc` as `before`.' }),
  sort_by: onlySort('seq'),
  sort_direction: sortDirection.meta({ description: 'In the order of the commits, or the newest first.' }),
  per_page: formerly(fields.strictIntegerText.pipe(z.int().min(1).max(MAX_LIMIT)).default(100), 'limit').meta({
    description: 'How many events at most.',
  }),
  ...eventFilters,
  ...createdFilters,
  wait_ms: fields.strictIntegerText.pipe(z.int().min(0).max(MAX_WAIT_MS)).default(0).meta({
    description: 'While there is no event to answer, wait for one, so many milliseconds at most.',
  }),
});

type GivenQuery = z.output<typeof pageQuery>;

/** Of a field that only one direction has. It joins the faults of the single fields. */
const onlyWith = (direction: GivenQuery['sort_direction'], field: keyof GivenQuery) => ({
  path: [field],
  message: `must be used with sort_direction=${direction}`,
  when: () => true,
});

const eventListQuery = pageQuery
  .refine(({ sort_direction: by, after }) => by !== 'desc' || after === undefined, onlyWith('asc', 'after'))
  .refine(({ sort_direction: by, wait_ms: ms }) => by !== 'desc' || ms === 0, onlyWith('asc', 'wait_ms'))
  .refine(({ sort_direction: by, before }) => by !== 'asc' || before === undefined, onlyWith('desc', 'before'))
  .refine(namesOneUser, notBothUsers)
  .refine(({ cursor, after }) => !cursor || after === undefined, notBoth('cursor', 'after'))
  .refine(({ cursor, before }) => !cursor || before === undefined, notBoth('cursor', 'before'))
  .transform(({ cursor, ...query }) => {
    if (!cursor) return query;
    return query.sort_direction === 'asc' ? { ...query, after: cursor } : { ...query, before: cursor };
  });

type PageQuery = z.output<typeof eventListQuery>;

const eventPage = z
  .strictObject({
    data: z.array(event),
    next: cursorText('Where to go on: the last event that was looked at, shown or left out by a filter.'),
    head: cursorText('The end of the log at the moment of the answer.'),
    next_seq: z.int().meta({ description: 'The number of the event at `next`; 0 before the first event.' }),
    head_seq: z.int().meta({ description: 'The number of the last event at the moment of the answer.' }),
    has_more: z.boolean().meta({
      description:
        'Whether there is more between `next` and `head`, or the newest first, between the first event and `next`, within the times that are asked for.',
    }),
  })
  .meta({
    id: 'EventPage',
    examples: [
      {
        data: [eventExample],
        next: eventExample.cursor,
        head: 'AQAAAAAAAAAHAAAAAAAAEnvXU8s0qvk',
        next_seq: eventExample.seq,
        head_seq: 4731,
        has_more: true,
      },
    ],
  });

interface Reading {
  readonly account: bigint;
  /** Whose turn it takes. */
  readonly holder: QuotaHolder;
  readonly query: PageQuery;
  isGone(): boolean;
}

/** A page with its events as JSON texts, without the brackets around them. */
interface ShownPage {
  readonly data: string;
  readonly frame: Omit<z.output<typeof eventPage>, 'data'>;
}

/** So many are made into JSON at once. Between two such parts other requests have their turn, also while pages are large. */
const SHOWN_AT_ONCE = 50;

async function jsonOf(account: bigint, events: EventPage['events']): Promise<string> {
  const parts: string[] = [];
  for (let start = 0; start < events.length; start += SHOWN_AT_ONCE) {
    if (start > 0) await nextTurn();
    const part = events.slice(start, start + SHOWN_AT_ONCE).map((found) => presentEvent(account, found));
    parts.push(JSON.stringify(part).slice(1, -1));
  }
  return parts.join(',');
}

/** Between `next` and the end of the log, or of the times that are asked for. */
function hasMore(
  { sort_direction: by }: PageQuery,
  next: bigint,
  { range: { from, until } }: ListedEventPage,
): boolean {
  if (from > until) return false;
  return by === 'asc' ? next < until : next > from;
}

const boundsOf = ({ created_after, created_before, user_reference, per_page }: PageQuery) => ({
  createdFrom: created_after,
  createdUntil: created_before,
  userReference: user_reference,
  limit: per_page,
});

/** `from`: the cursor at which the page begins. */
async function showPage(
  { account, query }: Reading,
  from: string | undefined,
  page: ListedEventPage,
): Promise<ShownPage> {
  const { events, next, head } = page;
  const nextSeq = next?.seq ?? decodePosition(from ?? '')?.seq ?? 0n;
  const frame = {
    next: next === undefined ? (from ?? encodePosition(account, BEGINNING)) : encodePosition(account, next),
    head: encodePosition(account, head),
    next_seq: Number(nextSeq),
    head_seq: Number(head.seq),
    has_more: hasMore(query, nextSeq, page),
  };
  return { data: await jsonOf(account, events), frame };
}

const answerOf = ({ data, frame }: ShownPage): TextAnswer =>
  new TextAnswer(JSON_TYPE, `{"data":[${data}],${JSON.stringify(frame).slice(1)}`);

async function readBack(reading: Reading, { reads, inListTurn }: ApiServices) {
  const { account, holder, query } = reading;
  const request = {
    accountId: account,
    before: positionIn('before', query.before, account),
    ...boundsOf(query),
    ...filterOf(query),
  };
  const read = () => reads.run((database) => readEventPageBack(database, request));
  return inListTurn(holder, async () => answerOf(await showPage(reading, query.before, await read())));
}

/** Reads, and while there is nothing to answer waits and reads on from there. It holds no turn while it waits. */
async function readOrWait(reading: Reading, { reads, inListTurn, eventTail, quotas }: ApiServices) {
  const { account, holder, query, isGone } = reading;
  const filter = filterOf(query);
  const { created_after, created_before, user_reference } = query;
  const isFiltered =
    isFilter(filter) || [created_after, created_before, user_reference].some((one) => one !== undefined);
  let endsAt = performance.now() + query.wait_ms;
  const readEnd = async () => encodePosition(account, await reads.run((database) => readHead(database, account)));
  let after = query.after === NOW ? await inListTurn(holder, readEnd) : query.after;
  for (let hasWaited = false; ; hasWaited = true) {
    const readAt = performance.now();
    const position = positionIn('after', after, account);
    const request = { accountId: account, after: position, ...boundsOf(query), ...filter };
    const read = async () => {
      const found = await reads.run((database) => readEventPage(database, request));
      const isOver = created_before !== undefined && found.range.until < found.head.seq;
      return { first: found.events[0], isOver, page: await showPage(reading, after, found) };
    };
    const { first, isOver, page } = await inListTurn(holder, read);
    if (hasWaited && first !== undefined) eventTail.noteShown(first.at);
    const leftMs = endsAt - performance.now();
    if (first !== undefined || isOver || page.frame.has_more || leftMs <= 0 || isGone()) return answerOf(page);
    after = page.frame.next;
    const seq = positionIn('after', after, account)?.seq ?? 0n;
    const release = quotas.take('long-polls', holder);
    const reason = await eventTail.wait({ accountId: account, seq, ms: leftMs, isGone }).finally(release);
    // The time is over, or the process ends.
    if (reason === 'time') endsAt = readAt;
    const pauseMs = Math.min(READ_AGAIN_MS - (performance.now() - readAt), endsAt - performance.now());
    if (isFiltered && pauseMs > 0) await delay(pauseMs);
  }
}

export const eventList = endpoint({
  method: 'get',
  path: '/events',
  tag: 'Events',
  summary: 'List what happened, in the order of the commits',
  description:
    'The numbers have no gap and never change, so a reader that follows `next` misses nothing. The events about a user, a wager or a bet are found by an index. With `types` alone, and among events that are not indexed yet, a request looks at 10,000 events at most: while `has_more` says so, ask again, also when `data` is empty. A page has at most 2 MiB: with large events it ends before `per_page`.',
  access: 'account',
  query: eventListQuery,
  answer: eventPage,
  refusals: ['history-restored', 'rate-limited', 'too-many-waiting'],
  waitMs: (query) => (query as PageQuery).wait_ms,
  handle({ query, caller, call }, services) {
    const reading: Reading = {
      account: visibleAccount(caller, query.account_id),
      holder: caller.account,
      query,
      isGone: () => call.deadline?.isGone() ?? false,
    };
    return query.sort_direction === 'asc' ? readOrWait(reading, services) : readBack(reading, services);
  },
});
