import type { Page } from '../shell/page.js';
import { overview } from './overview.js';

/** Every page, in the order of the navigation. */
export const pages: readonly Page[] = [overview];
