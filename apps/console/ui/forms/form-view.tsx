import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Role } from '../api/first-view-data.js';
import { mayDo, roleHint } from '../api/session.js';
import { isLive } from '../live/liveness.js';
import type { OpenForm, Question } from './use-form.js';

export interface FormViewProps {
  readonly form: OpenForm;
  /** The text of its button. */
  readonly action: string;
  /** What it does cannot be taken back: its button is off while the page is not live. */
  readonly decides?: boolean;
  /** Without fields: its button has the focus at first. */
  readonly enterConfirms?: boolean;
  /** Off for a reason of its own, such as a confirmation that is missing. */
  readonly isOff?: boolean;
  /** The role that it needs: its button is off for others. */
  readonly least?: Role;
  readonly children: ComponentChildren;
}

function buttonText({ isSending, wait }: { isSending: boolean; wait: number }, action: string): string {
  if (isSending) return 'Sending …';
  return wait > 0 ? `Try again in ${wait} s` : action;
}

interface AskedProps {
  readonly question: Question;
  readonly isOff: boolean;
  readonly onAnswer: (isYes: boolean) => void;
}

/** In place of the button. The focus goes to the question, so that the key that sent the form does not answer it too. */
function Asked({ question: { text, action }, isOff, onAnswer }: AskedProps) {
  const ref = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => ref.current?.focus(), []);
  return (
    <div ref={ref} class="note" role="alert" tabIndex={-1}>
      {text}
      <div class="actions">
        <button type="button" class="main" disabled={isOff} onClick={() => onAnswer(true)}>
          {action}
        </button>
        <button type="button" onClick={() => onAnswer(false)}>
          Change
        </button>
      </div>
    </div>
  );
}

/** A form with its fields as children. A refusal stands at its field, or above all of them; the focus goes there. */
export function FormView(props: FormViewProps) {
  const { form, action, decides = false, enterConfirms = false, least = 'viewer', children } = props;
  const isForbidden = !mayDo(least);
  const isOff = (props.isOff ?? false) || isForbidden;
  const ref = useRef<HTMLFormElement>(null);
  useLayoutEffect(() => {
    if (form.faults === undefined) return;
    ref.current?.querySelector<HTMLElement>('[aria-invalid=true], [role=alert]')?.focus();
  }, [form.faults]);
  const onSubmit = (event: Event) => {
    event.preventDefault();
    void form.submit();
  };
  const onAnswer = (isYes: boolean) => {
    void form.answer(isYes);
    if (!isYes) ref.current?.querySelector<HTMLElement>('input, select, textarea')?.focus();
  };
  const isAway = decides && !isLive.value;
  return (
    <form ref={ref} onSubmit={onSubmit}>
      {form.isRepeat && (
        <p class="note" role="status">
          The last attempt had no answer. Sending it again unchanged is safe: it is done once.
        </p>
      )}
      {form.faults !== undefined && form.faults.general.length > 0 && (
        <div class="fault" role="alert" tabIndex={-1}>
          {form.faults.general.map((text) => (
            <p key={text}>{text}</p>
          ))}
        </div>
      )}
      {children}
      {form.question === undefined ? (
        <button
          type="submit"
          class="main"
          data-first={enterConfirms || undefined}
          disabled={form.isSending || form.wait > 0 || isAway || isOff}
        >
          {buttonText(form, action)}
        </button>
      ) : (
        <Asked question={form.question} isOff={isAway || isOff} onAnswer={onAnswer} />
      )}
      {isForbidden && <p class="hint">{roleHint()}</p>}
    </form>
  );
}
