import { useSignal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { useEffect } from 'preact/hooks';
import { announce } from './alerts.js';

interface AbsentProps {
  /** The script did not come: a newer console has other files. */
  readonly hasFailed: boolean;
  readonly onRetry: () => void;
  readonly onClose?: () => void;
}

/** A dialog that does not come leaves the page as it is. */
function Announced({ hasFailed, onClose }: AbsentProps) {
  useEffect(() => {
    if (!hasFailed) return;
    announce('A part of the page could not be loaded. Load the console again.');
    onClose?.();
  }, [hasFailed]);
  return null;
}

/** In place of a part that the page can do without. */
export const Nothing = () => null;

/** A part whose script the browser loads when it is first shown; until then `Absent` is in its place. */
export function later<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  Absent: ComponentType<AbsentProps & Props> = Announced,
) {
  let known: ComponentType<Props> | undefined;
  const loadOnce = async () => {
    known ??= await load();
  };

  function Later(props: Props & Pick<AbsentProps, 'onClose'>) {
    const shown = useSignal({ view: known, hasFailed: false });
    const start = () => {
      shown.value = { view: known, hasFailed: false };
      loadOnce().then(
        () => {
          shown.value = { view: known, hasFailed: false };
        },
        () => {
          shown.value = { view: known, hasFailed: true };
        },
      );
    };
    useEffect(() => {
      if (shown.peek().view === undefined) start();
    }, []);
    const { view: View, hasFailed } = shown.value;
    if (View !== undefined) return <View {...props} />;
    return <Absent {...props} hasFailed={hasFailed} onRetry={start} />;
  }

  return Object.assign(Later, { load: loadOnce });
}
