import type { Role } from '../../api/first-view-data.js';

export const ROLES: readonly (readonly [Role, string])[] = [
  ['viewer', 'Viewer: only reads'],
  ['trader', 'Trader: also bets and moves money'],
  ['settler', 'Settler: also decides and closes wagers'],
  ['approver', 'Approver: reads and approves'],
  ['owner', 'Owner: everything'],
];
