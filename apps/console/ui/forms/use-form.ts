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

export type Choices = readonly (readonly [value: string, text: string])[];

export interface FieldOptions {
  /** A value without a label has no field. */
  readonly label?: string;
  readonly hint?: string;
  /** At first; empty unless given. */
  readonly value?: string;
  readonly isRequired?: boolean;
  /** `lines`: a text of several lines. */
  readonly type?: 'text' | 'email' | 'password' | 'search' | 'date' | 'datetime-local' | 'url' | 'lines';
  readonly inputMode?: 'numeric';
  readonly autoComplete?: string;
  /** What is suggested. */
  readonly list?: readonly string[];
  /** Values and their texts; without them, any text. */
  readonly choices?: Choices;
  /** How the text becomes a number. What is none is refused at the field; an empty text has none. */
  readonly number?: (text: string) => Reading;
}

/** From the text of a form to the value of a request: none for an empty text. */
export const textOrNull = (text: string): string | null => text.trim() || null;

/** By the names of their values, which are the paths of the fields in the request. */
export type FieldsOptions = Readonly<Record<string, FieldOptions>>;
export type ValuesOf<Fields> = { readonly [Name in keyof Fields]: string };
type NumbersOf<Fields> = {
  readonly [Name in keyof Fields as Fields[Name] extends { readonly number: unknown } ? Name : never]: number;
};

export interface FormOptions<Fields extends FieldsOptions, Answer> {
  /** Names what the form does and to what, like `fund ann`: a lost answer is asked for again under this name. */
  readonly name: string;
  readonly fields: Fields;
  /** Looks before anything is sent; undefined: there is nothing to ask. */
  readonly ask?: (values: ValuesOf<Fields>, numbers: NumbersOf<Fields>) => Promise<Question | undefined>;
  /** Sends the request. The same key means the same request. */
  readonly send: (values: ValuesOf<Fields>, idempotencyKey: string, numbers: NumbersOf<Fields>) => Promise<Answer>;
  readonly onDone?: (answer: Answer, values: ValuesOf<Fields>) => void;
  /**
   * False: the browser stores nothing for a reload. The values are secret, or the request sets a state, such as suspended: after
   * a reload the page shows that state, and another person may have changed it, so a new attempt gets a new key.
   */
  readonly isStored?: boolean;
  /** The API takes no key, because the request or its answer is secret. Nothing is stored, and another attempt is another request. */
  readonly hasNoKey?: boolean;
  /** The form stays open with these values after it was done, for another request. */
  readonly afterDone?: (values: ValuesOf<Fields>) => ValuesOf<Fields>;
}

/** A form that is on the page. */
export interface OpenForm<Name extends string = string> {
  readonly fields: FieldsOptions;
  readonly values: { readonly [Each in Name]: string };
  readonly faults: SortedFaults | undefined;
  readonly isSending: boolean;
  /** The seconds until it may be sent again. */
  readonly wait: number;
  /** An earlier attempt had no answer, and this form repeats it. */
  readonly isRepeat: boolean;
  readonly question: Question | undefined;
  set(name: string, value: string): void;
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
function readNumbers<Fields extends FieldsOptions>(fields: Fields, values: Values) {
  const numbers: Record<string, number> = {};
  const faults: Record<string, readonly string[]> = {};
  for (const [name, { number }] of Object.entries(fields)) {
    const text = values[name] ?? '';
    const reading = text.trim() === '' ? undefined : number?.(text);
    if (reading === undefined) continue;
    if ('value' in reading) numbers[name] = reading.value;
    else faults[name] = [reading.fault];
  }
  return { numbers: numbers as NumbersOf<Fields>, faults };
}

const initialValues = <Fields extends FieldsOptions>(fields: Fields) =>
  Object.fromEntries(Object.entries(fields).map(([name, { value = '' }]) => [name, value])) as ValuesOf<Fields>;

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

export function useForm<const Fields extends FieldsOptions, Answer>(
  options: FormOptions<Fields, Answer>,
): OpenForm<keyof Fields & string> {
  type Given = ValuesOf<Fields>;
  const { name, fields, ask, send, onDone, isStored = true, hasNoKey = false, afterDone } = options;
  const isKept = isStored && !hasNoKey;
  const { pending, keyRef, isUnansweredRef, renewKey } = useKey(name, isKept);
  const state = useSignal<FormState<Given>>({
    values: { ...initialValues(fields), ...pending?.values },
    isSending: false,
    isRepeat: pending !== undefined,
  });
  const wait = useCountdown(state.value.faults?.retryAfterSeconds, state.value.faults);
  const show = (shown: Partial<FormState<Given>>): void => {
    state.value = { values: state.peek().values, isSending: false, isRepeat: false, ...shown };
  };

  async function sendNow(values: Given, numbers: NumbersOf<Fields>): Promise<void> {
    if (isKept) storePending(name, { key: keyRef.current, values });
    try {
      const answer = await send(values, keyRef.current, numbers);
      renewKey();
      show({ values: afterDone?.(values) ?? values });
      onDone?.(answer, values);
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
    const { numbers, faults } = readNumbers(fields, values);
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
    fields,
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
