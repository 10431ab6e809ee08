import { expect, it } from '@jest/globals';
import { type EventKind, eventKinds } from '#core/records.js';
import { withTestEnvironment } from '#testing/with-environment.js';
import { hasHappened, RARE_EVENTS } from './has-happened.js';

const environment = withTestEnvironment(async () => undefined);

const log = (seq: number, kinds: readonly EventKind[]) =>
  environment.database.query(
    `INSERT INTO event_groups (account_id, first_seq, last_seq, at, kinds, refs, operations)
     VALUES (1, $1, $1, now(), $2, ARRAY[1]::bigint[], '[]')`,
    [seq, kinds.map((kind) => eventKinds[kind])],
  );

it('is said when the logs have each rare kind of event, and not of a PostgreSQL that is away', async () => {
  const [last, ...others] = RARE_EVENTS;
  await log(1, ['offer.made', ...others]);
  await log(2, [others[0] as EventKind]);
  expect(await hasHappened(environment.database.url)).toBe(false);
  await log(3, [last as EventKind]);
  expect(await hasHappened(environment.database.url)).toBe(true);
  expect(await hasHappened('postgresql://ledger@127.0.0.1:1/ledger')).toBe(false);
});
