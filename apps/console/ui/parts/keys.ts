import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';

// Keys that act without being held with another one. A person may turn them off: whoever speaks to the browser presses them
// by accident.

const STORED = 'console:keys-off';

export const areKeysOn = signal(localStorage.getItem(STORED) === null);

export function turnKeys(on: boolean): void {
  areKeysOn.value = on;
  if (on) localStorage.removeItem(STORED);
  else localStorage.setItem(STORED, 'true');
}

const WRITABLE = 'input:not([type=checkbox]), select, textarea';

/** Alone, and where it writes nothing: no dialog is open. */
function isForPage({ target, repeat, ctrlKey, altKey, metaKey, shiftKey, isComposing }: KeyboardEvent): boolean {
  if (repeat || ctrlKey || altKey || metaKey || shiftKey || isComposing) return false;
  return !(target instanceof Element && target.closest(WRITABLE)) && document.querySelector('dialog[open]') === null;
}

/** Calls `onKey` with each key that is meant for the page. It returns whether it took the key. */
export function useKeys(onKey: (key: string) => boolean): void {
  const onKeyRef = useRef(onKey);
  onKeyRef.current = onKey;
  useEffect(() => {
    const onDown = (event: KeyboardEvent) => {
      if (areKeysOn.value && isForPage(event) && onKeyRef.current(event.key.toLowerCase())) event.preventDefault();
    };
    document.addEventListener('keydown', onDown);
    return () => document.removeEventListener('keydown', onDown);
  }, []);
}
