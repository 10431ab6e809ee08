import { describe, expect, it } from '@jest/globals';
import { actorOfCaller, type Caller } from '../access/authenticator.js';
import { actorOfPerson, causeOfCommand, UNKNOWN_ACTOR } from './account-event.js';
import { eventCauseOf } from './event-cause.js';
import type { NotedEvent } from './noted-events.js';
import { tellingOfRefusals } from './noted-events.js';

const bySession = { account: { accountId: 7n }, operator: { id: 5n, name: 'Ann B: C' } } as Caller;
const byKey = { ...bySession, apiKey: { id: 3n, name: 'bets' } } as Caller;
const owner = { type: 'account', account_id: 7, api_key_id: null, operator_id: 5, name: 'Ann B: C' };

describe('the actor of an event', () => {
  it.each([
    ['the owner', actorOfCaller(bySession, false), owner, 'account:7::5:Ann%20B%3A%20C'],
    [
      'a key, by its name',
      actorOfCaller(byKey, false),
      { ...owner, type: 'key', api_key_id: 3, name: 'bets' },
      'key:7:3:5:',
    ],
    ['an admin', actorOfCaller(bySession, true), { ...owner, type: 'admin' }, 'admin:7::5:Ann%20B%3A%20C'],
    [
      'an admin with a key',
      actorOfCaller(byKey, true),
      { ...owner, type: 'admin', api_key_id: 3 },
      'admin:7:3:5:Ann%20B%3A%20C',
    ],
    ['a command', causeOfCommand('make-admin').actor, { type: 'command', name: 'make-admin' }, 'command:make-admin'],
    ['nobody known', UNKNOWN_ACTOR, { type: 'unknown', account_id: null, name: null }, 'unknown'],
  ])('is %s, as the event log stores it', (_case, actor, expected, stored) => {
    expect(actor).toMatchObject(expected);
    const cause = { actor, address: '192.0.2.1', requestId: 'request' };
    expect(eventCauseOf(cause)).toEqual({ actor: stored, requestId: 'request' });
  });

  it('is the operator when a password, a link or a code has proved it', () => {
    expect(actorOfPerson({ accountId: 7n, operatorId: 5n, name: 'Ann B: C' })).toEqual(owner);
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
