import { expect, it } from '@jest/globals';
import { copyTestDatabase, type TestDatabase } from '#testing/databases.js';
import { startTestApi, type TestPart } from '#testing/parts.js';
import { offer, ok, openTestBusiness, type TestBusiness } from '#testing/test-business.js';
import { withTestEnvironment } from '#testing/with-environment.js';

interface Event {
  readonly seq: number;
  readonly cursor: string;
}

const environment = withTestEnvironment(async () => {
  await restored?.close();
  await backup?.drop();
});
let backup: TestDatabase | undefined;
let restored: TestPart | undefined;
let business: TestBusiness;

const logOf = async ({ client }: TestPart): Promise<Event[]> =>
  ok(await client.as(business.client.credential).get('/events?limit=1000'), 200).data;

/** The same requests give the same numbers, kinds and ids again; only the times differ. */
async function offers({ client }: TestPart, count: number): Promise<void> {
  const own = client.as(business.client.credential);
  for (let made = 0; made < count; made += 1) ok(await own.post('/bets/make-offer', offer('ann', 1)));
}

it('a cursor of what a restore has undone is refused, and an older one goes on', async () => {
  const original = await startTestApi(environment);
  business = await openTestBusiness(original.client);
  await business.user('ann');
  await offers(original, 5);
  await original.close();
  backup = await copyTestDatabase(environment.database);

  const goingOn = await startTestApi(environment);
  await offers(goingOn, 5);
  const undone = await logOf(goingOn);
  await goingOn.close();

  restored = await startTestApi(environment, { DATABASE_URL: backup.url });
  const kept = await logOf(restored);
  expect(kept).toEqual(undone.slice(0, kept.length));
  await offers(restored, 10);
  const log = await logOf(restored);
  const [older, lost] = [undone[kept.length - 2], undone[kept.length + 2]];
  expect(lost?.seq).toBe(log[kept.length + 2]?.seq);
  const client = restored.client.as(business.client.credential);
  const refused = await client.get(`/events?after=${lost?.cursor}`);
  const head = log.at(-1)?.cursor;
  expect([refused.status, refused.body]).toEqual([
    409,
    { status: 409, error: 'cursor unknown: history was restored', head },
  ]);
  const after = ok(await client.get(`/events?after=${older?.cursor}&limit=1000`), 200).data;
  expect(after).toEqual(log.slice(kept.length - 1));
});
