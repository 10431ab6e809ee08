import type { Facts } from '#proof/second-ledger/facts.js';
import type { Task } from '#proof/second-ledger/second-ledger.js';
import type { Operation } from '../../history.js';
import { isStep } from './descriptions.js';
import type { LoggedOperation, StoredLog } from './stored-log.js';

// When an operation can have run, in microseconds. Its matches say exactly when; otherwise every time of a span is possible,
// and those differ for the rules that lie before and after something ends.

export interface Span {
  readonly from: bigint;
  readonly until: bigint;
}

/** Client and PostgreSQL read one clock, and not in one unit. */
const SLACK = 5_000n;
const ROUNDED = 500n;
const SECOND = 1_000_000n;
const microsOf = (ms: number): bigint => BigInt(Math.round(ms * 1_000));

/** From the sending of a request to its answer. `epochMs`: the time of day at which the moments of a record begin. */
export const spanOf = ({ calledAt, answeredAt }: Operation, epochMs: number): Span => ({
  from: microsOf(epochMs + calledAt) - SLACK,
  until:
    answeredAt === undefined ? microsOf(epochMs + calledAt) + 3_600n * SECOND : microsOf(epochMs + answeredAt) + SLACK,
});

const operationsOf = (task: Task) => ('type' in task ? [task] : task.map(({ operation }) => operation));

/** The moments that the task itself names. */
const endsAsked = (task: Task): bigint[] =>
  operationsOf(task).flatMap((each) => {
    if (each.type === 'schedule_wager') return each.closesAt ?? [];
    return each.type === 'make_bet_offer' && each.ends !== null && 'at' in each.ends ? each.ends.at : [];
  });

/** When the wagers close that the task names, and their offers expire. */
function endsFor(task: Task, facts: Facts): bigint[] {
  const operations = operationsOf(task);
  const references = new Set(operations.map((each) => ('wagerReference' in each ? each.wagerReference : null)));
  const betIds = new Set(operations.map((each) => ('betId' in each ? each.betId : null)));
  const wagerIds = new Set<bigint | null>(operations.map((each) => ('wagerId' in each ? each.wagerId : null)));
  for (const bet of facts.bets) if (betIds.has(bet.id)) wagerIds.add(bet.wagerId);
  const wagers = facts.wagers.filter(({ id, reference }) => references.has(reference) || wagerIds.has(id));
  const own = new Set(wagers.map(({ id }) => id));
  const offers = facts.bets.filter((bet) => bet.expiresAt !== null && own.has(bet.wagerId));
  return [
    ...wagers.map(({ closesAt }) => closesAt),
    ...offers.map(({ expiresAt }) => expiresAt),
    ...endsAsked(task),
  ].filter((end) => end !== null);
}

/** The beginning of a span, and each time in it at which something ends that concerns the task. */
export function timesIn({ from, until }: Span, task: Task, facts: Facts): bigint[] {
  const ends = endsFor(task, facts).filter((end) => end > from && end <= until);
  return [from, ...[...new Set(ends)].sort((one, other) => Number(one - other))];
}

interface Logged {
  readonly operation: LoggedOperation;
  readonly log: StoredLog;
  /** Of its request; the worker's have none. */
  readonly sent: Span | undefined;
}

/** Of an operation that the log has, the likeliest first. */
export function timesOf({ operation, log, sent }: Logged, task: Task, facts: Facts): bigint[] {
  const steps = operation.events.filter(isStep).flatMap(({ kind, ref }) => {
    const step = log.steps.get(ref);
    return step === undefined ? [] : [{ kind, at: step.at, bet: log.bets.get(step.bet) }];
  });
  const matchedAt = steps.find(({ kind }) => kind === 'offer.matched')?.bet?.acceptedAt;
  if (matchedAt != null) return [matchedAt];
  const began = steps[0] && steps[0].at - ROUNDED;
  const whole = { from: began ?? sent?.from ?? 0n, until: operation.at };
  const span = 'wagerId' in task ? aroundClosing(whole, operation, task.wagerId, facts) : whole;
  const seconds = operationsOf(task).flatMap((each) =>
    each.type === 'make_bet_offer' && each.ends !== null && 'inSeconds' in each.ends
      ? BigInt(each.ends.inSeconds) * SECOND
      : [],
  );
  const asked = new Set(endsAsked(task));
  const made = steps.flatMap(({ kind, bet }) => (kind === 'offer.made' ? (bet?.expiresAt ?? []) : []));
  const [exact] = made
    .filter((end) => !asked.has(end))
    .flatMap((end) => seconds.map((each) => end - each))
    .filter((at) => seconds.every((each) => made.includes(at + each)))
    .filter((at) => at >= span.from && at <= span.until);
  return exact === undefined ? timesIn(span, task, facts) : [exact];
}

/** The worker closes a wager from its time on, and before that it does not. */
function aroundClosing(span: Span, { events }: LoggedOperation, wagerId: bigint, facts: Facts): Span {
  const { status, closesAt = null } = facts.wagers.find(({ id }) => id === wagerId) ?? {};
  if (closesAt === null || status === 'closed' || closesAt > span.until) return span;
  const isClosed = events.some(({ kind }) => kind === 'wager.closed');
  if (isClosed) return { ...span, from: closesAt > span.from ? closesAt : span.from };
  return { ...span, until: closesAt - 1n };
}

/** Undefined: the matches of the operation happened between its sending and its event. */
export function wrongTime({ operation, log, sent }: Logged): string | undefined {
  for (const { kind, ref } of operation.events) {
    const acceptedAt = kind === 'offer.matched' && log.bets.get(log.steps.get(ref)?.bet ?? '')?.acceptedAt;
    if (typeof acceptedAt !== 'bigint') continue;
    if (acceptedAt > operation.at || (sent !== undefined && acceptedAt < sent.from))
      return `is matched at ${acceptedAt}, sent at ${sent?.from}, and logged at ${operation.at}`;
  }
  return undefined;
}
