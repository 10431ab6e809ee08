import type { Logger } from '../logging/logger.js';

/**
 * Runs what follows a commit: messages, figures. The caller must hear that the commit happened, so a failure of `run` is
 * logged and goes no further.
 */
export function followCommit(logger: Pick<Logger, 'error'>, run: () => void): void {
  try {
    run();
  } catch (error) {
    logger.error({ err: error }, 'a commit happened, and what follows it failed');
  }
}
