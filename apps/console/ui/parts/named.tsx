import type { ComponentChildren } from 'preact';
import { Amount, decimalsOf } from './amount.js';

interface NamedProps {
  /** By their names; what is undefined, null or false is left out. */
  readonly of: Readonly<Record<string, ComponentChildren>>;
  /** Others, behind them. */
  readonly children?: ComponentChildren;
}

const isThere = ([, content]: readonly [string, ComponentChildren]): boolean => content != null && content !== false;

/** Names and figures, side by side. */
export function Figures({ of, children }: NamedProps) {
  return (
    <dl class="figures">
      {Object.entries(of)
        .filter(isThere)
        .map(([name, content]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{content}</dd>
          </div>
        ))}
      {children}
    </dl>
  );
}

/** Amounts with the same decimals. */
export function Amounts({ of }: { readonly of: Readonly<Record<string, number>> }) {
  const decimals = decimalsOf(Object.values(of));
  const figures = Object.entries(of).map(([name, value]) => [name, Amount({ value, decimals })]);
  return <Figures of={Object.fromEntries(figures)} />;
}

/** Names and texts, in two columns. */
export function Facts({ of, children }: NamedProps) {
  return (
    <dl class="facts panel">
      {Object.entries(of)
        .filter(isThere)
        .map(([name, content]) => [<dt key={name}>{name}</dt>, <dd key={`${name} `}>{content}</dd>])}
      {children}
    </dl>
  );
}
