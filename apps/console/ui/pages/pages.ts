import type { Page } from '../shell/page.js';
import { bet } from './bet.js';
import { bets } from './bets.js';
import { overview } from './overview.js';
import { wager } from './wager.js';
import { wagers } from './wagers.js';

/** Every page, in the order of the navigation. */
export const pages: readonly Page[] = [
  // The ledger
  ...[overview, wagers, wager, bets, bet],
];
