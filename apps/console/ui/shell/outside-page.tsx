import type { ComponentChildren } from 'preact';
import { Heading } from './heading.js';

export interface OutsidePageProps {
  readonly title: string;
  /** It follows a form that was sent: the focus goes to its heading. */
  readonly isNext?: boolean;
  readonly children: ComponentChildren;
}

/** A page that needs no session. */
export function OutsidePage({ title, isNext = false, children }: OutsidePageProps) {
  return (
    <main class="login">
      <p class="brand">Betting Ledger</p>
      <div class="panel">
        <Heading text={title} takesFocus={isNext} />
        {children}
      </div>
    </main>
  );
}
