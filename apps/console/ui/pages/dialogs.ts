export { DecidingDialog } from './ledger/deciding-dialog.js';
export { CancelAllOffers } from './user/cancel-all-offers.js';
export { CancelOffers } from './wager/cancel-offers.js';
export { AskDialog, CorrectDialog, DecideDialog } from './wager/decide-dialog.js';
export { DecideSeveral } from './wager/decide-several.js';
export { PayoutPreview } from './wager/payout-preview.js';
export { TradeDialog } from './wager/trade-dialog.js';
export { UndoBar } from './wager/undo-bar.js';
