import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { visits } from './router.js';

const PRODUCT = 'Betting Ledger';

/** The heading of a page, which names the browser's tab too. After a change of the page, the focus goes to it. */
export function Heading({ text, children }: { readonly text: string; readonly children?: ComponentChildren }) {
  const ref = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => {
    document.title = `${text} · ${PRODUCT}`;
  }, [text]);
  useLayoutEffect(() => {
    // Not at the first page: screen readers begin with its title.
    if (visits.peek() > 0) ref.current?.focus();
  }, []);
  return (
    <header class="heading">
      <h1 ref={ref} tabIndex={-1}>
        <bdi>{text}</bdi>
      </h1>
      {children}
    </header>
  );
}
