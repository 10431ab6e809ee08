import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { visits } from './router.js';

const PRODUCT = 'Betting Ledger';

export interface HeadingProps {
  readonly text: string;
  /** The page comes after another one. At the first page, screen readers begin with its title. */
  readonly takesFocus?: boolean;
  readonly children?: ComponentChildren;
}

/** The heading of a page, which names the browser's tab too. After a change of the page, the focus goes to it. */
export function Heading({ text, takesFocus = visits.peek() > 0, children }: HeadingProps) {
  const ref = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => {
    document.title = `${text} · ${PRODUCT}`;
  }, [text]);
  useLayoutEffect(() => {
    if (takesFocus) ref.current?.focus();
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
