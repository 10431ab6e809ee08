import { beforeAll, describe, expect, it } from '@jest/globals';
import { eventKinds } from '#core/records.js';
import { blockSizes, findUnindexed, indexNextBlocks } from '#events/event-index.js';
import { type Case, checks, setUpLedger } from '#testing/corrupted-ledger.js';

const ledger = setUpLedger();

/** The first block has all real events. */
beforeAll(async () => {
  const { database } = ledger.driver();
  await database.of(1n).$executeRaw`
    SELECT append_group(1, array_fill(${eventKinds['user.updated']}::smallint, ARRAY[1500]),
                        array_fill((SELECT min(id) FROM users WHERE account_id = 1), ARRAY[1500]), '1500 worker -', NULL)`;
  while ((await findUnindexed(database)).length > 0) await indexNextBlocks(database, 1n);
});

const FIRST_PAGE = `account_id = 1 AND level = 0 AND block = 0 AND first_subject =
  (SELECT min(first_subject) FROM event_index_pages WHERE account_id = 1 AND block = 0)`;

const ofIndexes: Record<string, Case> = {
  'a lost entry': {
    sql: () => `UPDATE event_index_pages SET subjects = subjects[2:], places = places[2:] WHERE ${FIRST_PAGE}`,
    found: { [checks.indexed]: 1 },
    said: () => 'events 1 to 1024: have ',
  },
  'an entry of another subject': {
    sql: () => `UPDATE event_index_pages SET subjects[1] = subjects[1] + 4 WHERE ${FIRST_PAGE}`,
    found: { [checks.indexed]: 1 },
    said: () => 'of which some are others',
  },
  'an entry at another place': {
    sql: () => `UPDATE event_index_pages SET places[1] = places[1] + 256 WHERE ${FIRST_PAGE}`,
    found: { [checks.indexed]: 1 },
  },
  'a lost block': {
    sql: () => 'DELETE FROM event_index_pages WHERE account_id = 1',
    found: { [checks.indexed]: 1 },
    said: () => 'have 0 entries in the index',
  },
  'an index that goes beyond its log': {
    sql: () => `UPDATE event_indexes SET indexed_seq = ${blockSizes.small * 10n} WHERE account_id = 1`,
    found: { [checks.indexMark]: 1, [checks.indexed]: 1 },
    said: () => 'is indexed up to event 10240, in large blocks up to 0, and the log ends with 15',
  },
};

const WHOLE_ACCOUNT = 'account_id = 1 AND subject = 3';

const ofHours: Record<string, Case> = {
  'a wrong figure of an hour': {
    sql: () => `UPDATE hourly_sums SET matched_amount = matched_amount + 1 WHERE ${WHOLE_ACCOUNT}`,
    found: { [checks.hourly]: 1 },
    said: () => 'the account in the hour of 20',
  },
  'a gross exposure that differs': {
    sql: () => 'UPDATE hourly_sums SET gross_exposure = gross_exposure - 1 WHERE account_id = 1 AND subject = 4',
    found: { [checks.hourly]: 1 },
    said: () => 'user 1 in the hour of 20',
  },
  'a lost hour': {
    sql: () => `DELETE FROM hourly_sums WHERE ${WHOLE_ACCOUNT}`,
    found: { [checks.hourly]: 1 },
  },
};

describe('the audit of event indexes', () => {
  it('finds no difference in one that the worker has made', async () => {
    expect(await ledger.differencesAfter('UPDATE event_heads SET last_seq = last_seq')).toEqual([]);
  });

  it.each(Object.keys(ofIndexes))('finds %s', async (name) => {
    await ledger.expectFound(ofIndexes[name] as Case);
  });
});

describe('the audit of hourly sums', () => {
  it.each(Object.keys(ofHours))('finds %s', async (name) => {
    await ledger.expectFound(ofHours[name] as Case);
  });
});
