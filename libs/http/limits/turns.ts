import { Refusal } from '#platform/errors/refusal.js';

interface Line {
  running: number;
  readonly waiting: (() => void)[];
}

export type Turns = <Result>(key: string, retryAfterSeconds: number, work: () => Promise<Result>) => Promise<Result>;

export interface TurnLimits {
  readonly atOnce: number;
  readonly waiting: number;
  /** A task whose turn comes later is refused: its caller has given up, or soon will. */
  readonly waitMs: number;
}

/** Runs a few tasks at once for each key; the others wait their turn. Beyond a number or a time of waiting it refuses. */
export function createTurns({ atOnce, waiting, waitMs }: TurnLimits): Turns {
  const lines = new Map<string, Line>();

  async function enter(key: string, retryAfterSeconds: number): Promise<Line> {
    const line = lines.get(key) ?? { running: 0, waiting: [] };
    lines.set(key, line);
    if (line.running < atOnce) line.running += 1;
    else if (line.waiting.length >= waiting) throw new Refusal('rate-limited', { retryAfterSeconds });
    else {
      const since = performance.now();
      // A task that ends passes its turn on, so `running` does not change.
      await new Promise<void>((resolve) => line.waiting.push(resolve));
      if (performance.now() - since > waitMs) {
        leave(key, line);
        throw new Refusal('overloaded', { retryAfterSeconds });
      }
    }
    return line;
  }

  function leave(key: string, line: Line): void {
    const next = line.waiting.shift();
    if (next === undefined) line.running -= 1;
    else next();
    if (line.running === 0) lines.delete(key);
  }

  return async (key, retryAfterSeconds, work) => {
    const line = await enter(key, retryAfterSeconds);
    try {
      return await work();
    } finally {
      leave(key, line);
    }
  };
}
