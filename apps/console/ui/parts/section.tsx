import type { ComponentChildren } from 'preact';
import type { Resource } from '../api/resource.js';
import { AsOf } from './loaded.js';

export interface SectionProps {
  readonly title: string;
  /** The resource that its figures are from. */
  readonly of?: Resource<object>;
  /** Buttons and links beside the title. */
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A part of a page, with the moment of which it is. */
export function Section({ title, of, actions, children }: SectionProps) {
  return (
    <section class="section">
      <header>
        <h2>{title}</h2>
        {of !== undefined && <AsOf of={of} />}
        {actions !== undefined && <div class="actions">{actions}</div>}
      </header>
      {children}
    </section>
  );
}
