import { describe, expect, it } from '@jest/globals';
import { createSeededRandom } from '#tools/shared/seeded-random.js';
import { checkLinearizable, type Interval, type Model } from './linearizability.js';

interface Step extends Interval {
  readonly name: string;
  readonly does: 'write' | 'read' | 'add' | 'take';
  readonly value: number;
}

/** A register or, with `add` and `take`, a balance that never goes below zero. */
class OneNumber implements Model<Step> {
  readonly #before: number[] = [];
  value = 0;

  apply({ does, value }: Step): boolean {
    if (does === 'read' && value !== this.value) return false;
    if (does === 'take' && value > this.value) return false;
    this.#before.push(this.value);
    if (does === 'write') this.value = value;
    if (does === 'add') this.value += value;
    if (does === 'take') this.value -= value;
    return true;
  }

  undo(): void {
    this.value = this.#before.pop() ?? 0;
  }

  key(): string {
    return String(this.value);
  }
}

/** Each line is an operation, like `write 1  |---|`, with one character for each unit of time. */
function historyOf(...lines: readonly string[]): Step[] {
  return lines.map((line) => {
    const [, does, value] = /^(\w+) (\d+)/.exec(line) ?? [];
    const [calledAt, answeredAt] = [line.indexOf('|'), line.lastIndexOf('|')];
    return { name: line.trim(), does: does as Step['does'], value: Number(value), calledAt, answeredAt };
  });
}

const check = (history: readonly Step[], maxSteps?: number) =>
  checkLinearizable(history, new OneNumber(), maxSteps === undefined ? {} : { maxSteps });

describe('a linearizable history', () => {
  it.each<[string, string[]]>([
    ['nothing at all', []],
    ['a read of what was written', ['write 1 |--|     ', 'read 1       |--|']],
    ['a read beside a write, of the old value', ['write 1 |------|', 'read 0    |--|  ']],
    ['a read beside a write, of the new value', ['write 1 |------|', 'read 1    |--|  ']],
    [
      'two reads beside a write, the old value first',
      ['write 1 |----------|', 'read 0   |-|        ', 'read 1        |-|   '],
    ],
    ['two writes at once, the first one last', ['write 1 |-----|    ', 'write 2  |---|     ', 'read 1          |-|']],
    [
      'a write that is seen long before its answer',
      [
        'write 1 |-----------------|',
        'read 1       |-|          ',
        'write 2          |-|      ',
        'read 2                |-| ',
      ],
    ],
    ['intervals that touch', ['write 1 |--|   ', 'read 0     |--|']],
    ['money that arrives just in time', ['add 5 |-------|', 'take 5  |--|   ', 'read 0       |--|']],
    [
      'the only order of many',
      [
        'add 1 |---------|',
        'add 2  |--------|',
        'take 3  |-------|',
        'add 4   |-------|',
        'take 4   |------|',
        'read 0           |--|',
      ],
    ],
  ])('%s', (_name, lines) => {
    expect(check(historyOf(...lines)).verdict).toBe('linearizable');
  });

  it('is reported with the largest number of operations open at once', () => {
    const history = historyOf(
      'add 1 |--|         ',
      'add 1  |--|        ',
      'add 1       |-----|',
      'add 1        |-|   ',
    );
    expect(check(history)).toMatchObject({ verdict: 'linearizable', widest: 2 });
  });
});

describe('a history that is not linearizable', () => {
  it.each<[string, string, string[]]>([
    ['a stale read', 'read 0', ['write 1 |--|     ', 'read 0       |--|']],
    ['a value from nowhere', 'read 7', ['write 1 |--|     ', 'read 7       |--|']],
    [
      'two reads beside a write, the new value first',
      'read 0',
      ['write 1 |----------|', 'read 1   |-|        ', 'read 0        |-|   '],
    ],
    ['a lost update', 'read 1', ['add 1 |--|       ', 'add 1  |--|      ', 'read 1       |--|']],
    ['an update done twice', 'read 2', ['add 1 |--|       ', 'read 2       |--|']],
    ['money spent twice', 'take 5', ['add 5 |--|          ', 'take 5     |--|     ', 'take 5      |---|   ']],
    ['money spent before it came', 'take 5', ['take 5 |--|     ', 'add 5       |--|']],
    [
      'readers that disagree about an order',
      'read 2',
      [
        'write 1 |--|          ',
        'write 2 |--|          ',
        'read 1        |-|     ',
        'read 2            |-| ',
        'read 1               |-|',
      ],
    ],
  ])('%s', (_name, stuck, lines) => {
    const result = check(historyOf(...lines));
    expect(result.verdict).toBe('not linearizable');
    if (result.verdict === 'not linearizable') expect(result.stuck.name).toContain(stuck);
  });

  it('is reported with the unexplained operation and those that overlap with it', () => {
    const history = historyOf(
      'write 1 |-|             ',
      'read 5      |------|    ',
      'add 2         |--|      ',
      'read 3              |--|',
    );
    expect(check(history)).toMatchObject({
      verdict: 'not linearizable',
      stuck: { does: 'read', value: 5 },
      beside: [{ does: 'add' }],
    });
  });
});

/** Operations of several clients, each with a moment at which it happens, between its call and its answer. */
function randomHistory(seed: number, { operations, clients }: { operations: number; clients: number }): Step[] {
  const random = createSeededRandom(seed);
  const freeAt = Array.from({ length: clients }, () => 0);
  const planned = Array.from({ length: operations }, (_, index) => {
    const client = index % clients;
    const calledAt = (freeAt[client] ?? 0) + random.below(10);
    // A few operations take very long.
    const answeredAt = calledAt + 1 + random.below(random.happens(0.01) ? 5_000 : 40);
    freeAt[client] = answeredAt;
    const does = random.pick(['add', 'take', 'read', 'read'] as const);
    return {
      calledAt,
      answeredAt,
      happensAt: calledAt + random.below(1_000) * ((answeredAt - calledAt) / 1_000),
      does,
    };
  });
  const account = new OneNumber();
  return planned
    .sort((one, other) => one.happensAt - other.happensAt)
    .flatMap(({ calledAt, answeredAt, does }, index) => {
      const value = does === 'read' ? account.value : 1 + random.below(50);
      const step: Step = { name: `${does} ${index}`, does, value, calledAt, answeredAt };
      return account.apply(step) ? [step] : [];
    });
}

describe('long histories', () => {
  const size = { operations: 6_000, clients: 6 };

  it('are checked within 10 seconds', () => {
    const before = process.cpuUsage();
    for (const seed of [1, 2, 3]) expect(check(randomHistory(seed, size)).verdict).toBe('linearizable');
    // Of the processor: other work of the machine does not count.
    expect(process.cpuUsage(before).user).toBeLessThan(10_000_000);
  });

  it('do not hide a single wrong read', () => {
    for (const seed of [4, 5, 6]) {
      const history = randomHistory(seed, size);
      const index = history.findIndex(({ does }, place) => does === 'read' && place > history.length / 2);
      const wrong = history.map((step, place) => (place === index ? { ...step, value: step.value + 1_000_000 } : step));
      const result = check(wrong);
      expect(result).toMatchObject({ verdict: 'not linearizable', stuck: { name: history[index]?.name } });
    }
  });

  it('stay undecided when the search reaches its limit', () => {
    const result = check(randomHistory(7, size), 100);
    expect(result).toEqual({ verdict: 'undecided', steps: 101 });
  });

  it('get the same verdict as when every order is tried', () => {
    for (let seed = 1; seed <= 300; seed += 1) {
      const history = randomHistory(seed, { operations: 7, clients: 3 });
      const random = createSeededRandom(seed);
      const changed = history.map((step) => (random.happens(0.3) ? { ...step, value: random.below(60) } : step));
      expect([seed, check(changed).verdict === 'linearizable']).toEqual([
        seed,
        someOrderFits(changed, new OneNumber()),
      ]);
    }
  });
});

function someOrderFits(left: readonly Step[], model: OneNumber): boolean {
  if (left.length === 0) return true;
  return left.some((step) => {
    const others = left.filter((other) => other !== step);
    if (others.some(({ answeredAt }) => answeredAt < step.calledAt) || !model.apply(step)) return false;
    const fits = someOrderFits(others, model);
    model.undo();
    return fits;
  });
}
