import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { type SortedFaults, sortFaults } from '../api/faults.js';
import { useCountdown } from '../parts/countdown.js';
import { dropPending, newKey, readPending, storePending, type Values } from './pending-form.js';

export interface FormOptions<Given extends Values, Answer> {
  /** Names what the form does and to what, like `fund ann`: a lost answer is asked for again under this name. */
  readonly name: string;
  readonly initial: Given;
  /** Sends the request. The same key means the same request. */
  readonly send: (values: Given, idempotencyKey: string) => Promise<Answer>;
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
  set(name: keyof Given & string, value: string): void;
  submit(): Promise<void>;
}

interface FormState<Given> {
  readonly values: Given;
  readonly faults?: SortedFaults;
  readonly isSending: boolean;
  readonly isRepeat: boolean;
}

export function useForm<Given extends Values, Answer>(options: FormOptions<Given, Answer>): Form<Given> {
  const { name, initial, send, onDone, isStored = true, hasNoKey = false, afterDone } = options;
  const isKept = isStored && !hasNoKey;
  const pendingRef = useRef(isKept ? readPending(name) : undefined);
  const keyRef = useRef(pendingRef.current?.key ?? newKey());
  const isUnansweredRef = useRef(pendingRef.current !== undefined);
  const state = useSignal<FormState<Given>>({
    values: { ...initial, ...pendingRef.current?.values },
    isSending: false,
    isRepeat: pendingRef.current !== undefined,
  });
  const wait = useCountdown(state.value.faults?.retryAfterSeconds, state.value.faults);

  function renewKey(): void {
    keyRef.current = newKey();
    isUnansweredRef.current = false;
    dropPending(name);
  }

  async function submit(): Promise<void> {
    const { values, isSending } = state.peek();
    if (isSending || wait > 0) return;
    state.value = { values, isSending: true, isRepeat: false };
    if (isKept) storePending(name, { key: keyRef.current, values });
    try {
      const answer = await send(values, keyRef.current);
      renewKey();
      state.value = { values: afterDone?.(values) ?? values, isSending: false, isRepeat: false };
      onDone(answer, values);
    } catch (error) {
      const attempt = { hasKey: !hasNoKey, isUnanswered: isUnansweredRef.current };
      const faults = sortFaults(error, Object.keys(values), attempt);
      if (faults.isFinal) renewKey();
      else isUnansweredRef.current = true;
      state.value = { values, faults, isSending: false, isRepeat: false };
    }
  }

  return {
    ...state.value,
    faults: state.value.faults,
    wait,
    submit,
    set(field, value) {
      state.value = { ...state.peek(), values: { ...state.peek().values, [field]: value } };
    },
  };
}
