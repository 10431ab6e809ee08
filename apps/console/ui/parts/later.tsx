import { useSignal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { useEffect } from 'preact/hooks';
import { announce } from './alerts.js';

/** A part whose script the browser loads when it is first shown. A dialog that does not come leaves the page as it is. */
export function later<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  let known: ComponentType<Props> | undefined;

  return function Later(props: Props & { readonly onClose?: () => void }) {
    const shown = useSignal(known);
    useEffect(() => {
      if (shown.peek() !== undefined) return;
      load().then(
        (view) => {
          known = view;
          shown.value = view;
        },
        () => {
          // A newer console has other files.
          announce('A part of the page could not be loaded. Load the console again.');
          props.onClose?.();
        },
      );
    }, []);
    const View = shown.value;
    return View === undefined ? null : <View {...props} />;
  };
}
