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

/** The browser holds the focus inside, at first in its first field, or on the button that Enter confirms with. */
function show(dialog: HTMLDialogElement): void {
  dialog.showModal();
  dialog.querySelector<HTMLElement>('input, select, textarea, [data-first]')?.focus();
}

/** Enter that is still held since it opened the dialog does not confirm it. */
function refuseHeldEnter(event: KeyboardEvent): void {
  if (event.key === 'Enter' && event.repeat && !(event.target instanceof HTMLTextAreaElement)) event.preventDefault();
}

/** A dialog above the page, as long as it is rendered. */
export function Dialog({ title, onClose, children }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useLayoutEffect(() => {
    const dialog = ref.current;
    const opener = document.activeElement;
    if (dialog !== null) show(dialog);
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
  // Browsers let a page prevent Escape once. The next time, they close the dialog without asking.
  const onClosed = () => {
    const dialog = ref.current;
    if (dialog === null || dialog.open) return;
    if (onClose === undefined) show(dialog);
    else onClose();
  };
  return (
    <dialog
      ref={ref}
      tabIndex={-1}
      aria-labelledby={titleId}
      onCancel={onCancel}
      onClose={onClosed}
      onKeyDown={refuseHeldEnter}
    >
      <div class="title">
        <h2 id={titleId}>{title}</h2>
        {onClose !== undefined && (
          <button type="button" class="quiet" aria-label="Close" onClick={onClose}>
            ×
          </button>
        )}
      </div>
      {children}
    </dialog>
  );
}
