import { useSignal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { useEffect } from 'preact/hooks';
import { LoadFault } from '../parts/loaded.js';
import { Heading } from './heading.js';
import type { Page, PageProps } from './page.js';

type View = ComponentType<PageProps>;

/** A page whose script the browser loads when the page is first shown. */
export function laterPage(page: Omit<Page, 'view'>, load: () => Promise<View>): Page {
  let known: View | undefined;
  const loadView = async () => {
    known ??= await load();
  };

  function LaterView(props: PageProps) {
    const tries = useSignal(0);
    const shown = useSignal({ view: known, error: undefined as unknown });
    useEffect(() => {
      if (shown.peek().view !== undefined) return;
      loadView().then(
        () => {
          shown.value = { view: known, error: undefined };
        },
        () => {
          // A newer console has other files.
          shown.value = { view: undefined, error: 'The page could not be loaded. Load the console again.' };
        },
      );
    }, [tries.value]);
    const { view: Loaded, error } = shown.value;
    if (Loaded !== undefined) return <Loaded {...props} />;
    const retry = () => {
      shown.value = { view: undefined, error: undefined };
      tries.value += 1;
    };
    return (
      <>
        <Heading text={page.title} />
        {error === undefined ? <p class="waiting">Loading …</p> : <LoadFault error={error} onRetry={retry} />}
      </>
    );
  }

  return { ...page, view: LaterView, loadView };
}
