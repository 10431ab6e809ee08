import { later, Nothing } from './later.js';
import type { SavedViewsProps } from './saved-views.js';

export const SavedViews = later<SavedViewsProps>(async () => (await import('./saved-views.js')).SavedViewList, Nothing);
