import { pause, pauseAfter } from '../../api/pauses.js';

const MOST_TRIES = 5;
const SECOND_MS = 1_000;
const never = new AbortController().signal;

/** Sends a request again where its fault passes. It must be one that does nothing twice. */
export async function patiently<Answer>(send: () => Promise<Answer>): Promise<Answer> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await send();
    } catch (error) {
      const seconds = pauseAfter(error);
      if (seconds === undefined || tries === MOST_TRIES) throw error;
      await pause(seconds * SECOND_MS, never);
    }
  }
}
