import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

const PRODUCT = 'Betting Ledger';

/** The heading of a page, which names the browser's tab too. After a change of the page, the focus goes to it. */
export function Heading({ text, children }: { readonly text: string; readonly children?: ComponentChildren }) {
  const ref = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${text} · ${PRODUCT}`;
  }, [text]);
  useEffect(() => {
    // Not at the first page of a visit: screen readers begin with its title.
    if (document.activeElement !== document.body || history.length > 1) ref.current?.focus();
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
