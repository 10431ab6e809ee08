import { describe, expect, it } from '@jest/globals';
import { type Asker, FairLine, type WaitingTask } from './fair-line.js';

const SHARES = [4, 2, 1];

interface Task extends WaitingTask {
  readonly name: string;
}

let moment = 0;

/** A task of the networks in a text, from the widest: `48/56/64`. */
function taskOf(place: string, name = place): Task {
  moment += 1;
  const networks = place
    .split('/')
    .map((_part, level, parts) => ({ name: parts.slice(0, level + 1).join('/'), share: SHARES[level] ?? 1 }));
  return { name, since: moment, asker: { networks, isFamiliar: false } };
}

const askerAt = (place: string): Asker => taskOf(place).asker;

function lineOf(places: number, ...tasks: string[]): FairLine<Task> {
  const line = new FairLine<Task>(places);
  for (const place of tasks) line.add(taskOf(place));
  return line;
}

function rest(line: FairLine<Task>): (string | undefined)[] {
  return Array.from({ length: line.length }, () => line.next()?.name);
}

describe('a fair line', () => {
  it('gives turns to networks by turns, the widest first, and to one of them in order', () => {
    const line = lineOf(10, 'a/1', 'a/1', 'a/2', 'b/1', 'c/1', 'b/1');
    expect(rest(line)).toEqual(['a/1', 'b/1', 'c/1', 'a/2', 'b/1', 'a/1']);
    expect(line.next()).toBeUndefined();
  });

  it('gives the next turn to a network that had none lately', () => {
    const line = lineOf(10, 'a', 'b', 'c');
    expect([line.next()?.name, line.next()?.name]).toEqual(['a', 'b']);
    for (const place of ['a', 'b', 'd']) line.add(taskOf(place));
    expect(rest(line)).toEqual(['c', 'd', 'a', 'b']);
  });

  it('refuses the newest task of the network with the most when it is full', () => {
    const line = lineOf(4, 'a/1/1', 'a/1/1', 'a/2/1', 'b/1/1');
    expect(line.hasRoomFor(askerAt('a/1/1'))).toBe(false);
    expect(line.hasRoomFor(askerAt('a/3/1'))).toBe(true);
    const newcomer = taskOf('c/1/1');
    expect(line.add(newcomer)).toMatchObject({ name: 'a/1/1' });
    // The refusals of a/1/1 count as turns of its networks.
    expect(rest(line)).toEqual(['b/1/1', 'c/1/1', 'a/2/1', 'a/1/1']);
  });

  it('lets one from a new network in among many networks with one task each, and none of those again', () => {
    const flood = Array.from({ length: 20 }, (_, index) => `n${index}`);
    const line = lineOf(20, ...flood);
    for (let turns = 0; turns < 20; turns += 1) line.add(taskOf(line.next()?.name ?? ''));
    expect(line.hasRoomFor(askerAt('n0'))).toBe(false);
    expect(line.add(taskOf('owner'))).toMatchObject({ name: 'n0' });
    expect(line.next()?.name).toBe('owner');
  });

  it('gives turns to one from a new network before networks that were refused, though these never had a turn', () => {
    const flood = Array.from({ length: 20 }, (_, index) => `n${index}`);
    const line = lineOf(20, ...flood);
    for (const place of flood) expect(line.hasRoomFor(askerAt(place))).toBe(false);
    expect(line.add(taskOf('owner'))).toMatchObject({ name: 'n19' });
    expect(line.next()?.name).toBe('owner');
    for (const late of line.removeBefore(Number.POSITIVE_INFINITY)) line.add(late);
    line.add(taskOf('another owner'));
    expect(line.next()?.name).toBe('another owner');
  });

  it.each([
    ['a /64', () => 'a/1/1', 16],
    ['a /56', (index: number) => `a/1/${index}`, 32],
    ['a /48', (index: number) => `a/${index}/1`, 64],
  ])('takes no more than its share of places from %s', (_network, placeOf, share) => {
    const line = new FairLine<Task>(100);
    for (let index = 0; index < 90; index += 1) line.add(taskOf(placeOf(index)));
    expect(line.length).toBe(share);
    expect(line.hasRoomFor(askerAt('b/1/1'))).toBe(true);
  });

  it('takes out what came too early', () => {
    const line = lineOf(10, 'a', 'b');
    const [early, late] = [line.removeBefore(moment), line.removeBefore(moment)];
    expect([early.map(({ name }) => name), late, rest(line)]).toEqual([['a'], [], ['b']]);
  });
});
