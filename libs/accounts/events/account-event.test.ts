import { describe, expect, it } from '@jest/globals';
import type { Caller } from '../access/authenticator.js';
import { causeOfCommand, ownerOf, UNKNOWN_ACTOR } from './account-event.js';
import { actorOfCaller } from './caller-actor.js';
import { eventCauseOf } from './event-cause.js';
import type { NotedEvent } from './noted-events.js';
import { tellingOfRefusals } from './quota-refusals.js';

const bySession = { account: { accountId: 7n, email: 'owner@example.com' } } as Caller;
const byKey = { ...bySession, apiKey: { id: 3n, name: 'bets' } } as Caller;
const owner = { type: 'account', account_id: 7, api_key_id: null, name: 'owner@example.com' };

describe('the actor of an event', () => {
  it.each([
    ['the owner', actorOfCaller(bySession, false), owner, 'account:7'],
    [
      'a key, by its name',
      actorOfCaller(byKey, false),
      { ...owner, type: 'key', api_key_id: 3, name: 'bets' },
      'key:7:3',
    ],
    ['an admin', actorOfCaller(bySession, true), { ...owner, type: 'admin' }, 'admin:7'],
    ['an admin with a key', actorOfCaller(byKey, true), { ...owner, type: 'admin', api_key_id: 3 }, 'admin:7:3'],
    ['a command', causeOfCommand('make-admin').actor, { type: 'command', name: 'make-admin' }, 'command:make-admin'],
    ['nobody known', UNKNOWN_ACTOR, { type: 'unknown', account_id: null, name: null }, 'unknown'],
  ])('is %s, which the event log names by ids alone', (_case, actor, expected, stored) => {
    expect(actor).toMatchObject(expected);
    const cause = { actor, address: '192.0.2.1', requestId: 'request' };
    expect(eventCauseOf(cause)).toEqual({ actor: stored, requestId: 'request' });
  });

  it('is the owner when a password, a link or a code has proved it', () => {
    expect(ownerOf({ id: 7n, email: 'owner@example.com' })).toEqual(owner);
  });
});

describe('a refusal of a quota', () => {
  it('is counted, and its account is told, when there is one', () => {
    const counted: unknown[] = [];
    const noted: NotedEvent[] = [];
    const onRefused = tellingOfRefusals((...given) => counted.push(given), { note: (event) => noted.push(event) });
    onRefused('lists', 7n);
    onRefused('previews', undefined);
    expect(counted).toEqual([
      ['lists', 7n],
      ['previews', undefined],
    ]);
    const actor = { type: 'account', account_id: 7, api_key_id: null, name: null };
    expect(noted).toMatchObject([
      { accountId: 7n, type: 'quota-refused', after: { quota: 'lists' }, cause: { actor } },
    ]);
  });
});
