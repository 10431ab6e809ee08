import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { FindDialog } from '../find/find-dialog.js';
import { announce } from '../parts/alerts.js';
import { areKeysOn, useKeys } from '../parts/keys.js';

const KEY = '/';

const isShortcut = ({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean =>
  key.toLowerCase() === 'k' && ctrlKey !== metaKey && !altKey && !shiftKey;

/** The button and the keys that find anything. The browser loads the dialog when it is first opened. */
export function Find() {
  const dialog = useSignal<{ readonly view: typeof FindDialog } | undefined>(undefined);
  const open = () => {
    import('../find/find-dialog.js').then(
      ({ FindDialog: view }) => {
        if (document.querySelector('dialog[open]') === null) dialog.value = { view };
      },
      () => announce('The search could not be loaded. Load the console again.'),
    );
  };
  useKeys((pressed) => {
    if (pressed === KEY) open();
    return pressed === KEY;
  });
  useEffect(() => {
    const onDown = (event: KeyboardEvent) => {
      if (!isShortcut(event)) return;
      event.preventDefault();
      open();
    };
    document.addEventListener('keydown', onDown);
    return () => document.removeEventListener('keydown', onDown);
  }, []);
  const close = () => {
    dialog.value = undefined;
  };
  const View = dialog.value?.view;
  return (
    <>
      <button
        type="button"
        class="find"
        aria-keyshortcuts={areKeysOn.value ? `Control+K ${KEY}` : 'Control+K'}
        onClick={open}
      >
        Find … <kbd>Ctrl K</kbd>
      </button>
      {View !== undefined && <View onClose={close} />}
    </>
  );
}
