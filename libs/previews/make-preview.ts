import { type Database, withTx } from '#platform/database/database.js';
import { readLong } from '#platform/database/read-batches.js';
import { computePreview } from './compute-preview.js';
import {
  claimPreview,
  failPreview,
  finishPreview,
  giveRunBack,
  type PreviewRun,
  type PreviewWork,
  showProgress,
} from './preview-rows.js';

/** Of one run. Its snapshot is held no longer, because it keeps PostgreSQL from cleaning up. */
export const MAX_PREVIEW_MS = 5 * 60_000;
/** Of one statement, and of the pause between two. */
const STATEMENT_MS = 60_000;
const PROGRESS_EVERY_MS = 1_000;
/** More than any wager has. */
const ANY_NUMBER_OF_BETS = 1_000_000_000;

const GAVE_UP = 'The preview could not be made: try again later';
const TOO_LONG = 'The preview took too long';

/** The worker stops: another one computes it. */
class Stopping extends Error {}
class TookTooLong extends Error {}

export interface PreviewMakerOptions {
  /** Holds the rows of previews. */
  readonly database: Database;
  /** What previews read: it needs one connection for each that is computed at the same time. */
  readonly source: Database;
  readonly signal: AbortSignal;
}

export type PreviewResult = { readonly state: 'done' | 'ended' | 'stopped' | 'failed' };

export type MakePreview = (work: PreviewWork) => Promise<PreviewResult>;

/** Computes a large preview: one run. A fault that may pass is thrown, and the preview waits for its next run. */
export function createPreviewMaker({ database, source, signal }: PreviewMakerOptions): MakePreview {
  async function compute(run: PreviewRun): Promise<boolean> {
    const goOn = goingOnUntil(performance.now() + MAX_PREVIEW_MS);
    const options = { mostBets: ANY_NUMBER_OF_BETS, goOn, onProgress: progressOf(run) };
    const computed = await withTx(
      source.of(run.request.ledgerAccountId),
      async (snapshot) => {
        await readLong(snapshot, STATEMENT_MS);
        return computePreview(snapshot, run.request, options);
      },
      'RepeatableRead',
    );
    if (computed === 'too-large') throw new TookTooLong();
    return finishPreview(database, run, computed, goOn);
  }

  const goingOnUntil = (deadline: number) => (): void => {
    if (signal.aborted) throw new Stopping();
    if (performance.now() > deadline) throw new TookTooLong();
  };

  /** Shows the progress once a second; a progress that is not shown is no fault. */
  function progressOf(run: PreviewRun): (done: number, total: number) => void {
    let shownAt = performance.now();
    return (done, total) => {
      const now = performance.now();
      if (now - shownAt < PROGRESS_EVERY_MS) return;
      shownAt = now;
      showProgress(database, run, Math.min(99, Math.floor((100 * done) / total))).catch(() => undefined);
    };
  }

  return async (work) => {
    const run = await claimPreview(database, work, GAVE_UP);
    if (run === undefined) return { state: 'ended' };
    try {
      return { state: (await compute(run)) ? 'done' : 'ended' };
    } catch (error) {
      if (error instanceof Stopping) {
        await giveRunBack(database, run);
        return { state: 'stopped' };
      }
      if (!(error instanceof TookTooLong)) throw error;
      await failPreview(database, work, TOO_LONG);
      return { state: 'failed' };
    }
  };
}
