import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';

export interface DialogProps {
  readonly title: string;
  /** Without it, the dialog cannot be left. */
  readonly onClose?: () => void;
  readonly children: ComponentChildren;
}

/** A dialog above the page, as long as it is rendered. The browser holds the focus inside; afterwards it goes back. */
export function Dialog({ title, onClose, children }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useLayoutEffect(() => {
    const dialog = ref.current;
    const opener = document.activeElement;
    dialog?.showModal();
    return () => {
      dialog?.close();
      // A dialog that has left the page already gives nothing back by itself.
      if (opener instanceof HTMLElement) opener.focus();
    };
  }, []);
  const onCancel = (event: Event) => {
    event.preventDefault();
    onClose?.();
  };
  return (
    <dialog ref={ref} aria-labelledby={titleId} onCancel={onCancel}>
      <header>
        <h2 id={titleId}>{title}</h2>
        {onClose !== undefined && (
          <button type="button" class="quiet" aria-label="Close" onClick={onClose}>
            ×
          </button>
        )}
      </header>
      {children}
    </dialog>
  );
}
