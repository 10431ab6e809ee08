import { useSignal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { useEffect } from 'preact/hooks';

/** A part of the page whose script the browser loads after the first view; until then there is nothing. */
export function laterPart<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  let known: ComponentType<Props> | undefined;
  return function LaterPart(props: Props) {
    const shown = useSignal({ view: known });
    useEffect(() => {
      if (known !== undefined) return;
      load().then(
        (view) => {
          known = view;
          shown.value = { view };
        },
        // A newer console has other files: the next load of the page has them.
        () => undefined,
      );
    }, []);
    const { view: Loaded } = shown.value;
    return Loaded === undefined ? null : <Loaded {...props} />;
  };
}
