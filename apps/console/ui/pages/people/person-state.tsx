import type { Schemas } from '../../api/api.js';

const STYLES = { invited: 'tag', active: 'tag good', suspended: 'tag warn' } as const;

export const PersonState = ({ state }: { readonly state: Schemas['OperatorState'] }) => (
  <span class={STYLES[state]}>{state}</span>
);
