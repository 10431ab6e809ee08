import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { notSent, refusedAt, type SortedFaults, sortFaults } from '../api/faults.js';
import type { Reading } from '../parts/amount.js';
import { useCountdown } from '../parts/countdown.js';
import { dropPending, newKey, readPending, storePending, type Values } from './pending-form.js';

/** What a form asks once more before it sends. */
export interface Question {
  readonly text: ComponentChildren;
  /** The text of the button that sends. */
  readonly action: string;
}

export interface FormOptions<Given extends Values, Answer, Numeric extends string = never> {
  /** Names what the form does and to what, like `fund ann`: a lost answer is asked for again under this name. */
  readonly name: string;
  readonly initial: Given;
  /** How the texts of fields become numbers. What is none is refused at its field; an empty text has none. */
  readonly numbers?: Readonly<Record<Numeric, (text: string) => Reading>>;
  /** Looks before anything is sent; undefined: there is nothing to ask. */
  readonly ask?: (values: Given, numbers: Readonly<Record<Numeric, number>>) => Promise<Question | undefined>;
  /** Sends the request. The same key means the same request. */
  readonly send: (values: Given, idempotencyKey: string, numbers: Readonly<Record<Numeric, number>>) => Promise<Answer>;
  readonly onDone: (answer: Answer, values: Given) => void;
  /**
   * False: the browser stores nothing for a reload. The values are secret, or the request sets a state, such as suspended: after
   * a reload the page shows that state, and another operator may have changed it, so a new attempt gets a new key.
   */
  readonly isStored?: boolean;
  /** The API takes no key, because the request or its answer is secret. Nothing is stored, and another attempt is another request. */
  readonly hasNoKey?: boolean;
  /** The form stays open with these values after it was done, for another request. */
  readonly afterDone?: (values: Given) => Given;
}

export interface Form<Given extends Values> {
  readonly values: Given;
  readonly faults: SortedFaults | undefined;
  readonly isSending: boolean;
  /** The seconds until it may be sent again. */
  readonly wait: number;
  /** An earlier attempt had no answer, and this form repeats it. */
  readonly isRepeat: boolean;
  readonly question: Question | undefined;
  set(name: keyof Given & string, value: string): void;
  /** Sends it, or asks first. */
  submit(): Promise<void>;
  /** The answer to the question. */
  answer(isYes: boolean): Promise<void>;
}

interface FormState<Given> {
  readonly values: Given;
  readonly faults?: SortedFaults;
  readonly isSending: boolean;
  readonly isRepeat: boolean;
  readonly question?: Question | undefined;
}

/** The numbers in the texts of a form, and the faults of what is none. */
function readNumbers<Numeric extends string>(
  values: Values,
  readers: Readonly<Record<Numeric, (text: string) => Reading>> | undefined,
) {
  const numbers: Partial<Record<Numeric, number>> = {};
  const faults: Record<string, readonly string[]> = {};
  for (const field of Object.keys(readers ?? {}) as Numeric[]) {
    const text = values[field] ?? '';
    const reading = text.trim() === '' ? undefined : readers?.[field](text);
    if (reading === undefined) continue;
    if ('value' in reading) numbers[field] = reading.value;
    else faults[field] = [reading.fault];
  }
  return { numbers: numbers as Record<Numeric, number>, faults };
}

/** The key of the next attempt: that of an attempt without an answer, as long as there is one. */
function useKey(name: string, isKept: boolean) {
  const pendingRef = useRef(isKept ? readPending(name) : undefined);
  const keyRef = useRef(pendingRef.current?.key ?? newKey());
  const isUnansweredRef = useRef(pendingRef.current !== undefined);
  const renewKey = (): void => {
    keyRef.current = newKey();
    isUnansweredRef.current = false;
    dropPending(name);
  };
  return { pending: pendingRef.current, keyRef, isUnansweredRef, renewKey };
}

export function useForm<Given extends Values, Answer, Numeric extends string = never>(
  options: FormOptions<Given, Answer, Numeric>,
): Form<Given> {
  const { name, initial, ask, send, onDone, isStored = true, hasNoKey = false, afterDone } = options;
  const isKept = isStored && !hasNoKey;
  const { pending, keyRef, isUnansweredRef, renewKey } = useKey(name, isKept);
  const state = useSignal<FormState<Given>>({
    values: { ...initial, ...pending?.values },
    isSending: false,
    isRepeat: pending !== undefined,
  });
  const wait = useCountdown(state.value.faults?.retryAfterSeconds, state.value.faults);
  const show = (shown: Partial<FormState<Given>>): void => {
    state.value = { values: state.peek().values, isSending: false, isRepeat: false, ...shown };
  };

  async function sendNow(values: Given, numbers: Record<Numeric, number>): Promise<void> {
    if (isKept) storePending(name, { key: keyRef.current, values });
    try {
      const answer = await send(values, keyRef.current, numbers);
      renewKey();
      show({ values: afterDone?.(values) ?? values });
      onDone(answer, values);
    } catch (error) {
      const attempt = { hasKey: !hasNoKey, isUnanswered: isUnansweredRef.current };
      const faults = sortFaults(error, Object.keys(values), attempt);
      if (faults.isFinal) renewKey();
      else isUnansweredRef.current = true;
      show({ values, faults });
    }
  }

  async function submit(isAnswered = false): Promise<void> {
    const { values, isSending, question } = state.peek();
    if (isSending || wait > 0 || (question !== undefined && !isAnswered)) return;
    const { numbers, faults } = readNumbers(values, options.numbers);
    if (Object.keys(faults).length > 0) return show({ faults: refusedAt(faults) });
    show({ isSending: true });
    try {
      const asked = isAnswered ? undefined : await ask?.(values, numbers);
      if (asked !== undefined) return show({ question: asked });
    } catch (error) {
      return show({ faults: notSent(error) });
    }
    await sendNow(values, numbers);
  }

  return {
    ...state.value,
    faults: state.value.faults,
    question: state.value.question,
    wait,
    submit: () => submit(),
    answer: async (isYes) => (isYes ? submit(true) : show({})),
    set(field, value) {
      const { question: _asked, ...rest } = state.peek();
      state.value = { ...rest, values: { ...rest.values, [field]: value } };
    },
  };
}
