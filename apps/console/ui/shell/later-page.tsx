import type { ComponentType } from 'preact';
import { later } from '../parts/later.js';
import { LoadFault } from '../parts/loaded.js';
import { Heading } from './heading.js';
import type { Page, PageProps } from './page.js';

/** A page whose script the browser loads when the page is first shown. */
export function laterPage(page: Omit<Page, 'view'>, load: () => Promise<ComponentType<PageProps>>): Page {
  const view = later(load, ({ hasFailed, onRetry }) => (
    <>
      <Heading text={page.title} />
      {hasFailed ? (
        <LoadFault error="The page could not be loaded. Load the console again." onRetry={onRetry} />
      ) : (
        <p class="waiting">Loading …</p>
      )}
    </>
  ));
  return { ...page, view, loadView: view.load };
}
