import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';

/** A dialog about something that a list shows: `open` opens it, and `dialog` stands beside the list. */
export function useDialog<Subject>(show: (subject: Subject, close: () => void) => ComponentChildren) {
  const opened = useSignal<{ readonly subject: Subject } | undefined>(undefined);
  const close = () => {
    opened.value = undefined;
  };
  const open = (subject: Subject) => {
    opened.value = { subject };
  };
  return { open, dialog: opened.value && show(opened.value.subject, close) };
}

export interface Action {
  /** Of its button. */
  readonly text: string;
  readonly isMain?: boolean;
  readonly isOff?: boolean;
  /** It has no use now. Its dialog stays when it is open. */
  readonly isHidden?: boolean;
  readonly dialog: (close: () => void) => ComponentChildren;
}

/** Buttons, by the names of their actions, and the dialog that one of them has opened. */
export function Actions({ of }: { readonly of: Readonly<Record<string, Action>> }) {
  const { open, dialog } = useDialog<string>((name, close) => of[name]?.dialog(close));
  const shown = Object.entries(of).filter(([, { isHidden = false }]) => !isHidden);
  return (
    <>
      {shown.length > 0 && (
        <div class="actions">
          {shown.map(([name, { text, isMain = false, isOff = false }]) => (
            <button key={name} type="button" class={isMain ? 'main' : ''} disabled={isOff} onClick={() => open(name)}>
              {text}
            </button>
          ))}
        </div>
      )}
      {dialog}
    </>
  );
}
