import { drawOver, type Screen, START_OF_LINE, whole } from '#tools/shared/command-line.js';

/** Shows the progress on the screen. */
export interface Progress {
  /** Begins a phase; `total` is the amount of work, when known. */
  begin(what: string, total?: number): void;
  advance(by?: number): void;
  /** Ends the phase with its result. */
  done(text: string): void;
  /** Prints a line. */
  say(text: string): void;
}

const BAR_WIDTH = 24;
const REDRAW_MS = 80;

/** On a terminal the last line is redrawn; elsewhere each phase prints one line when it ends. */
export function createProgress(screen: Screen, now: () => number = () => performance.now()): Progress {
  const isLive = screen.isTTY === true;
  let [what, total, count] = ['', 0, 0];
  let [startedAt, drawnAt] = [now(), 0];

  function draw(): void {
    if (!isLive) return;
    drawnAt = now();
    const filled = total === 0 ? 0 : Math.round((Math.min(count, total) / total) * BAR_WIDTH);
    const bar = total === 0 ? '' : `[${'#'.repeat(filled).padEnd(BAR_WIDTH, '.')}] `;
    const share = total === 0 ? ' …' : `  ${whole(count)} of ${whole(total)}`;
    const line = `  ${bar}${what}${share}`;
    drawOver(screen, line);
  }

  const say = (text: string) => screen.write(`${isLive ? START_OF_LINE : ''}${text}\n`);

  return {
    begin(newWhat, newTotal = 0) {
      [what, total, count] = [newWhat, newTotal, 0];
      startedAt = now();
      draw();
    },
    advance(by = 1) {
      count += by;
      if (now() - drawnAt >= REDRAW_MS) draw();
    },
    done: (text) => say(`  ${((now() - startedAt) / 1_000).toFixed(1).padStart(5)} s  ${text}`),
    say,
  };
}
