import { LRUCache } from 'lru-cache';
import { createTurns } from '#http/turns.js';
import { atMost } from '#jobs/closing.js';

export interface Sharing {
  /** How long an answer is shared before the question is asked again. */
  readonly forMs: number;
  /** Callers wait no longer for a question, counted from its begin. */
  readonly withinMs: number;
  /** How old an answer may become while no newer one comes. */
  readonly knownForMs: number;
  /** A question that takes long is asked more seldom: for so many times as long as it took, the next one is not due, but before the answer is too old. */
  readonly restTimes?: number;
}

/** Undefined: no answer is known that is young enough. */
export interface SharedAnswer<Answer> {
  /** The last answer, at once. A question that is due is asked behind it. */
  last(): Answer | undefined;
  /** The answer of a question that is due, or the last one when it does not come in time. */
  soon(): Promise<Answer | undefined>;
}

/**
 * Shares the answers of a question among all callers. Only one question is under way at a time: a late one still runs in
 * PostgreSQL, so another one would only take one more connection. One that fails leaves the last answer.
 */
export function shareAnswers<Answer>(
  ask: () => Promise<Answer>,
  { forMs, withinMs, knownForMs, restTimes = 0 }: Sharing,
): SharedAnswer<Answer> {
  let askedAtMs = Number.NEGATIVE_INFINITY;
  let restMs = 0;
  let question: Promise<void> | undefined;
  let known: { readonly answer: Answer; readonly atMs: number } | undefined;

  async function askNow(): Promise<void> {
    try {
      known = { answer: await ask(), atMs: performance.now() };
    } catch {
      // `ask` reports it.
    } finally {
      restMs = Math.min(restTimes * (performance.now() - askedAtMs), knownForMs / 2);
      question = undefined;
    }
  }

  function askIfDue(): void {
    if (question !== undefined || performance.now() - askedAtMs < Math.max(forMs, restMs)) return;
    askedAtMs = performance.now();
    question = askNow();
  }

  const youngEnough = () =>
    known !== undefined && performance.now() - known.atMs < knownForMs ? known.answer : undefined;

  return {
    last() {
      askIfDue();
      return youngEnough();
    },
    async soon() {
      askIfDue();
      const leftMs = askedAtMs + withinMs - performance.now();
      if (question !== undefined && leftMs > 0) await atMost(leftMs, question);
      return youngEnough();
    },
  };
}

export interface AccountSharing extends Sharing {
  /** Of how many accounts answers are kept. */
  readonly accounts: number;
  /** Questions of all accounts together take so many connections. What waits longer than its callers is not asked. */
  readonly atOnce: number;
}

const WAITING = 100;
const RETRY_AFTER_SECONDS = 1;

/** However often and however many accounts ask: one question at a time of an account, and few over all. */
export function shareByAccount<Answer>(
  asking: (accountId: bigint) => () => Promise<Answer>,
  { accounts, atOnce, ...sharing }: AccountSharing,
): (accountId: bigint) => SharedAnswer<Answer> {
  const inTurn = createTurns({ atOnce, waiting: WAITING, waitMs: sharing.withinMs });
  const ofAccounts = new LRUCache<bigint, SharedAnswer<Answer>>({ max: accounts });
  return (accountId) => {
    const known = ofAccounts.get(accountId);
    if (known !== undefined) return known;
    const ask = asking(accountId);
    const answer = shareAnswers(() => inTurn('all', RETRY_AFTER_SECONDS, ask), sharing);
    ofAccounts.set(accountId, answer);
    return answer;
  };
}
