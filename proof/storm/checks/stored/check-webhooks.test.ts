import { describe, expect, it } from '@jest/globals';
import type { WebhookMode, WebhookRecord, WebhookRequest } from '../../history.js';
import { faultsOfWebhooks } from './check-webhooks.js';

const EVENTS = ['first', 'second', 'third', 'fourth'];

interface Step {
  readonly event: string;
  readonly from?: string;
  readonly about?: string;
  readonly upTo?: string;
  /** Undefined: before the next one comes. */
  readonly taken?: 'never' | 'after the next came';
}

/** The requests of an endpoint, one after the other. */
function record(mode: WebhookMode, steps: readonly (Step | string)[], faults: readonly string[] = []): WebhookRecord {
  const requests = steps.map((step, index): WebhookRequest => {
    const { event, from, about = 'wager 1', upTo, taken } = typeof step === 'string' ? ({ event: step } as Step) : step;
    const cameAt = 10 * (index + 1);
    const takenAt = taken === undefined ? cameAt + 1 : cameAt + 11;
    return {
      cursor: event,
      from,
      about,
      upTo: upTo ?? event,
      cameAt,
      takenAt: taken === 'never' ? undefined : takenAt,
    };
  });
  return { accountId: 1, name: 'plain', mode, endpointId: 1, beginning: 'before', requests, faults };
}

const faultsOf = (mode: WebhookMode, steps: readonly (Step | string)[]) =>
  faultsOfWebhooks(record(mode, steps), EVENTS).map(({ check, place = -1 }) =>
    `${check} ${EVENTS[place] ?? ''}`.trim(),
  );

/** A keyed endpoint says only what it has sent of all lines. */
const ofWager = (wager: number, event: string, upTo = 'before'): Step => ({ event, about: `wager ${wager}`, upTo });

/** A ring for the events after `from`, up to `to`. */
const ring = (from: string, to: string, more: Partial<Step> = {}): Step => ({ event: to, from, ...more });

describe('the check of webhooks finds nothing wrong with', () => {
  it.each<[string, WebhookMode, (Step | string)[]]>([
    ['events that come one after the other', 'ordered', EVENTS],
    ['an event that comes again because it was refused', 'ordered', [{ event: 'first', taken: 'never' }, ...EVENTS]],
    ['an event that comes again because its answer was lost', 'ordered', ['first', ...EVENTS]],
    ['an event that an old worker sends late', 'ordered', ['first', 'second', 'third', 'first', 'fourth']],
    [
      'lines that pass each other',
      'keyed',
      [ofWager(2, 'second'), ofWager(2, 'fourth'), ofWager(1, 'first'), ofWager(1, 'third', 'second')],
    ],
    [
      'a line that waits while another one goes on',
      'keyed',
      [
        { ...ofWager(1, 'first'), taken: 'never' },
        ofWager(2, 'second'),
        ofWager(1, 'first'),
        ofWager(1, 'third', 'second'),
        ofWager(2, 'fourth', 'third'),
      ],
    ],
    ['rings that follow each other', 'doorbell', [ring('before', 'second'), ring('second', 'fourth')]],
    [
      'a ring that comes again because it was refused',
      'doorbell',
      [
        ring('before', 'first'),
        ring('first', 'third', { taken: 'never' }),
        ring('first', 'third'),
        ring('third', 'fourth'),
      ],
    ],
    [
      'a ring that an old worker sends late',
      'doorbell',
      [ring('before', 'third'), ring('third', 'fourth'), ring('before', 'third')],
    ],
  ])('%s', (_name, mode, steps) => {
    expect(faultsOf(mode, steps)).toEqual([]);
  });
});

describe('the check of webhooks finds', () => {
  it.each<[string, WebhookMode, (Step | string)[], string[]]>([
    ['a lost event', 'keyed', [ofWager(1, 'first'), ofWager(1, 'third'), ofWager(1, 'fourth')], ['lost second']],
    ['the loss of the last event', 'ordered', ['first', 'second', 'third'], ['lost fourth']],
    ['the loss of all', 'ordered', [], ['lost first', 'lost second', 'lost third', 'lost fourth']],
    [
      'an event that was refused and never came again',
      'ordered',
      ['first', 'second', 'third', { event: 'fourth', taken: 'never' }],
      ['lost fourth'],
    ],
    ['a gap', 'ordered', ['first', 'third', 'second', 'fourth'], ['order third', 'upTo third']],
    [
      'an event after one that was refused',
      'ordered',
      [{ event: 'first', taken: 'never' }, 'second', ...EVENTS],
      ['order second', 'upTo second'],
    ],
    [
      'an event that comes while the one before is under way',
      'ordered',
      [{ event: 'first', taken: 'after the next came' }, 'second', 'third', 'fourth'],
      ['order second', 'upTo second'],
    ],
    [
      'another order within a line',
      'keyed',
      [ofWager(2, 'second'), ofWager(1, 'third'), ofWager(1, 'first'), ofWager(2, 'fourth', 'third')],
      ['order third'],
    ],
    ['an event of another log', 'ordered', ['first', 'foreign', 'second', 'third', 'fourth'], ['own']],
    ['an event from before the beginning', 'ordered', ['before', ...EVENTS], ['own']],
    [
      'a cursor beyond what was taken in all lines',
      'keyed',
      [ofWager(2, 'second', 'first'), ofWager(1, 'first'), ofWager(1, 'third'), ofWager(1, 'fourth')],
      ['upTo second'],
    ],
    [
      'a cursor beyond its own event',
      'keyed',
      [ofWager(1, 'first', 'second'), ofWager(1, 'second'), ofWager(1, 'third'), ofWager(1, 'fourth', 'unknown')],
      ['upTo first', 'upTo fourth'],
    ],
    ['a doorbell that is silent about the last event', 'doorbell', [ring('before', 'third')], ['lost fourth']],
    [
      'a last ring that was refused and never came again',
      'doorbell',
      [ring('before', 'second'), ring('second', 'fourth', { taken: 'never' })],
      ['lost third', 'lost fourth'],
    ],
    [
      'events between two rings',
      'doorbell',
      [ring('before', 'first'), ring('second', 'fourth')],
      ['lost second', 'order fourth', 'upTo fourth'],
    ],
    [
      'a ring that comes while the one before is refused',
      'doorbell',
      [ring('before', 'second', { taken: 'never' }), ring('second', 'fourth'), ring('before', 'second')],
      ['order fourth', 'upTo fourth'],
    ],
    ['a ring for nothing', 'doorbell', [ring('before', 'fourth'), ring('fourth', 'fourth')], ['own']],
    ['a ring for events of another log', 'doorbell', [ring('foreign', 'first'), ring('before', 'fourth')], ['own']],
  ])('%s', (_name, mode, steps, expected) => {
    expect(faultsOf(mode, steps)).toEqual(expected);
  });

  it('a signature that the library of the standard refused', () => {
    const faults = faultsOfWebhooks(record('ordered', EVENTS, ['evt_1: No matching signature found']), EVENTS);
    expect(faults).toEqual([{ check: 'signed', place: undefined, text: 'evt_1: No matching signature found' }]);
  });
});
