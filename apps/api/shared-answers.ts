import { atMost } from '#jobs/closing.js';

export interface Sharing {
  /** How long an answer is shared before the question is asked again. */
  readonly forMs: number;
  /** Callers wait no longer for a question, counted from its begin. */
  readonly withinMs: number;
  /** How old an answer may become while no newer one comes. */
  readonly knownForMs: number;
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
  { forMs, withinMs, knownForMs }: Sharing,
): SharedAnswer<Answer> {
  let askedAtMs = Number.NEGATIVE_INFINITY;
  let question: Promise<void> | undefined;
  let known: { readonly answer: Answer; readonly atMs: number } | undefined;

  async function askNow(): Promise<void> {
    try {
      known = { answer: await ask(), atMs: performance.now() };
    } catch {
      // `ask` reports it.
    } finally {
      question = undefined;
    }
  }

  function askIfDue(): void {
    if (question !== undefined || performance.now() - askedAtMs < forMs) return;
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
