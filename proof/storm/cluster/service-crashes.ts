/** A part of the service broke, although only the whole of it is ever killed. */
const BREAKDOWN = /PANIC: |was terminated by signal|crashed by signal/;
/** What does not end at a stop at once is killed by PostgreSQL itself. */
const KILLED_AT_STOP = 'issuing SIGKILL to recalcitrant children';

/** The lines in the log of a PostgreSQL or a Redis that nothing the storm does explains. */
export function findCrashes(log: string): string[] {
  let isStopping = false;
  return log.split('\n').filter((line) => {
    if (line.includes(KILLED_AT_STOP)) isStopping = true;
    if (line.includes('starting PostgreSQL')) isStopping = false;
    return !isStopping && BREAKDOWN.test(line);
  });
}
