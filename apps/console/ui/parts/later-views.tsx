import { laterPart } from '../shell/later-part.js';
import type { SavedViewsProps } from './saved-views.js';

export const SavedViews = laterPart<SavedViewsProps>(async () => (await import('./saved-views.js')).SavedViewList);
