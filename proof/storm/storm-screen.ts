import { drawOver, type Screen, START_OF_LINE, whole } from '#tools/shared/command-line.js';

/** Shows the progress: a terminal gets a last line that is redrawn, any other output only permanent lines. */
export interface StormScreen {
  /** Redraws this line until the next call. */
  live(text: () => string): void;
  /** Writes a permanent line. */
  say(text: string): void;
  /** Stops redrawing. */
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
  /** Faults in progress. */
  readonly underWay: Iterable<string>;
}

const BAR_WIDTH = 16;

export function lineOf({ seconds, ofSeconds, requests, retries, effects, underWay }: StormFigures): string {
  const filled = Math.round((Math.min(seconds, ofSeconds) / ofSeconds) * BAR_WIDTH);
  const bar = `[${'#'.repeat(filled).padEnd(BAR_WIDTH, '.')}]`;
  const figures = `${whole(requests)} requests, ${whole(retries)} retries, ${whole(effects)} effects`;
  return [`${bar} ${Math.floor(seconds)} of ${ofSeconds} s  ${figures}`, ...underWay].join(' | ');
}
