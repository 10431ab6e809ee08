import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';

export interface DialogProps {
  readonly title: string;
  /** Without it, the dialog cannot be left. */
  readonly onClose?: () => void;
  readonly children: ComponentChildren;
}

/** To what had the focus, or to the page's heading when that has gone: an action may remove its own button. */
function giveFocusBack(opener: Element | null): void {
  if (!(opener instanceof HTMLElement) || opener === document.body) return;
  const goToHeading = () => document.querySelector('h1')?.focus();
  opener.focus();
  if (document.activeElement !== opener) {
    goToHeading();
    return;
  }
  const observer = new MutationObserver(() => {
    if (document.activeElement === opener) return;
    observer.disconnect();
    if (!opener.isConnected && document.activeElement === document.body) goToHeading();
  });
  observer.observe(document.body, { childList: true, subtree: true });
}

/** A dialog above the page, as long as it is rendered. The browser holds the focus inside, at first in its first field. */
export function Dialog({ title, onClose, children }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useLayoutEffect(() => {
    const dialog = ref.current;
    const opener = document.activeElement;
    dialog?.showModal();
    dialog?.querySelector<HTMLElement>('input, select, textarea')?.focus();
    return () => {
      dialog?.close();
      giveFocusBack(opener);
    };
  }, []);
  // Its content may be replaced, and with it what had the focus.
  useLayoutEffect(() => {
    if (!ref.current?.contains(document.activeElement)) ref.current?.focus();
  });
  const onCancel = (event: Event) => {
    event.preventDefault();
    onClose?.();
  };
  return (
    <dialog ref={ref} tabIndex={-1} aria-labelledby={titleId} onCancel={onCancel}>
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
