import { drawOver, type Screen, START_OF_LINE, whole } from '#tools/shared/command-line.js';

/** Tells people what goes on: on a terminal the last line is alive, elsewhere there are only lines for good. */
export interface StormScreen {
  /** Draws this again and again, until the next text. */
  live(text: () => string): void;
  /** A line of its own. */
  say(text: string): void;
  /** Nothing is alive any more. */
  end(): void;
}

const REDRAW_MS = 200;

export function createStormScreen(screen: Screen): StormScreen {
  const isLive = screen.isTTY === true;
  let timer: NodeJS.Timeout | undefined;
  const clear = () => (isLive ? START_OF_LINE : '');
  return {
    live(text) {
      clearInterval(timer);
      if (!isLive) return;
      const draw = () => drawOver(screen, `  ${text()}`);
      draw();
      timer = setInterval(draw, REDRAW_MS);
    },
    say: (text) => screen.write(`${clear()}${text}\n`),
    end() {
      clearInterval(timer);
      screen.write(clear());
    },
  };
}

export interface StormFigures {
  readonly seconds: number;
  readonly ofSeconds: number;
  readonly requests: number;
  readonly retries: number;
  readonly effects: number;
  /** Faults under way. */
  readonly underWay: Iterable<string>;
}

const BAR_WIDTH = 16;

export function lineOf({ seconds, ofSeconds, requests, retries, effects, underWay }: StormFigures): string {
  const filled = Math.round((Math.min(seconds, ofSeconds) / ofSeconds) * BAR_WIDTH);
  const bar = `[${'#'.repeat(filled).padEnd(BAR_WIDTH, '.')}]`;
  const figures = `${whole(requests)} requests, ${whole(retries)} again, ${whole(effects)} effects`;
  return [`${bar} ${Math.floor(seconds)} of ${ofSeconds} s  ${figures}`, ...underWay].join(' | ');
}
