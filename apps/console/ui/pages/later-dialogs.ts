import { later } from '../parts/later.js';

// Dialogs, bars and previews: the browser loads their script when the first of them is shown, or may be soon.

export const loadDialogs = () => import('./dialogs.js');

export const DecidingDialog = later(async () => (await loadDialogs()).DecidingDialog);
export const DecideDialog = later(async () => (await loadDialogs()).DecideDialog);
export const AskDialog = later(async () => (await loadDialogs()).AskDialog);
export const CorrectDialog = later(async () => (await loadDialogs()).CorrectDialog);
export const DecideSeveral = later(async () => (await loadDialogs()).DecideSeveral);
export const TradeDialog = later(async () => (await loadDialogs()).TradeDialog);
export const CancelAllOffers = later(async () => (await loadDialogs()).CancelAllOffers);
export const CancelOffers = later(async () => (await loadDialogs()).CancelOffers);
export const PayoutPreview = later(async () => (await loadDialogs()).PayoutPreview);
export const UndoBar = later(async () => (await loadDialogs()).UndoBar);
