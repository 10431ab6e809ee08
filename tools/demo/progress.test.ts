import { describe, expect, it } from '@jest/globals';
import { createProgress } from './progress.js';

function screen(isTTY: boolean, columns = 60) {
  const written: string[] = [];
  const clock = { ms: 0 };
  const progress = createProgress({ isTTY, columns, write: (text: string) => written.push(text) }, () => clock.ms);
  return { progress, clock, written };
}

describe('progress', () => {
  it('is one living line on a terminal, that never wraps', () => {
    const { progress, clock, written } = screen(true);
    progress.begin('Bets are made', 1_200);
    clock.ms = 1_000;
    progress.advance(600);
    progress.advance();
    expect(written).toEqual([
      '\r\u001b[2K  [........................] Bets are made  0 of 1,200',
      '\r\u001b[2K  [############............] Bets are made  600 of 1,200',
    ]);
    progress.done('All bets are made');
    expect(written.at(-1)).toBe('\r\u001b[2K    1.0 s  All bets are made\n');
    const unsized = screen(true, 0);
    unsized.progress.begin('Bets are made', 5);
    expect(unsized.written).toEqual(['\r\u001b[2K  [........................] Bets are made  0 of 5']);
    const narrow = screen(true, 20);
    narrow.progress.begin('Something that takes long');
    expect(narrow.written).toEqual(['\r\u001b[2K  Something that ta']);
  });

  it('is a plain line for each phase elsewhere', () => {
    const { progress, clock, written } = screen(false);
    progress.begin('Bets are made', 2);
    clock.ms = 12_345;
    progress.advance(2);
    progress.done('All bets are made');
    progress.say('That is it.');
    expect(written).toEqual(['   12.3 s  All bets are made\n', 'That is it.\n']);
  });
});
