/** A part of the service crashed, although faults kill only the whole service. */
const CRASH = /PANIC: |was terminated by signal|crashed by signal/;
/** At an immediate shutdown PostgreSQL itself kills children that do not end. */
const KILLED_AT_STOP = 'issuing SIGKILL to recalcitrant children';

/** The lines in the log of PostgreSQL or Redis that no injected fault explains. */
export function findCrashes(log: string): string[] {
  let isStopping = false;
  return log.split('\n').filter((line) => {
    if (line.includes(KILLED_AT_STOP)) isStopping = true;
    if (line.includes('starting PostgreSQL')) isStopping = false;
    return !isStopping && CRASH.test(line);
  });
}
