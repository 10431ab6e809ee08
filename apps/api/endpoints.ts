import type { Endpoint } from './endpoint.js';
import type { EndpointName } from './roles.js';
import { accountEventList } from './routes/account-events/list.js';
import { accountConfirm } from './routes/accounts/confirm.js';
import { accountConfirmEmail } from './routes/accounts/confirm-email.js';
import { accountCreatePassword } from './routes/accounts/create-password.js';
import { accountForgotPassword } from './routes/accounts/forgot-password.js';
import { accountGenerateKeys } from './routes/accounts/generate-keys.js';
import { accountHealth } from './routes/accounts/health.js';
import { accountLogin } from './routes/accounts/login.js';
import { accountLogout } from './routes/accounts/logout.js';
import { accountMe } from './routes/accounts/me.js';
import { accountMoneyUpdate } from './routes/accounts/money-settings.js';
import { accountPreferencesRead, accountPreferencesUpdate } from './routes/accounts/preferences.js';
import { accountRegister } from './routes/accounts/register.js';
import { accountResendVerification } from './routes/accounts/resend-verification.js';
import { accountResetPassword } from './routes/accounts/reset-password.js';
import { accountVerifyEmail } from './routes/accounts/verify-email.js';
import { adminAccountEndAccess } from './routes/admin/end-access.js';
import { adminWagerForceOutcome } from './routes/admin/force-outcome.js';
import { adminBetForceOverride } from './routes/admin/force-override.js';
import { adminHealth } from './routes/admin/health.js';
import { adminAccountList } from './routes/admin/list-accounts.js';
import { adminAccountRead } from './routes/admin/read-account.js';
import { adminBetSetActive, adminBetSetInactive } from './routes/admin/set-active.js';
import { adminAccountUpdate } from './routes/admin/update-account.js';
import { accountApiKeyCreate } from './routes/api-keys/create.js';
import { accountApiKeyList } from './routes/api-keys/list.js';
import { accountApiKeyRevoke } from './routes/api-keys/revoke.js';
import { betAcceptOffer } from './routes/bets/accept-offer.js';
import { betBatch } from './routes/bets/batch.js';
import { betCancelAfter } from './routes/bets/cancel-after.js';
import { betCancelOffer } from './routes/bets/cancel-offer.js';
import { betUpdateWagerOutcome } from './routes/bets/decide-wager.js';
import { betHistory } from './routes/bets/list-history.js';
import { betOpenList } from './routes/bets/list-open.js';
import { betMakeOffer } from './routes/bets/make-offer.js';
import { betOverrideOutcome } from './routes/bets/override-outcome.js';
import { betRead } from './routes/bets/read.js';
import { changeRequestApprove } from './routes/change-requests/approve.js';
import { changeRequestCreate } from './routes/change-requests/create.js';
import { changeRequestList } from './routes/change-requests/list.js';
import { changeRequestRead } from './routes/change-requests/read.js';
import { changeRequestReject } from './routes/change-requests/reject.js';
import { changeRequestWithdraw } from './routes/change-requests/withdraw.js';
import { eventList } from './routes/events/list.js';
import { eventMatchedTotals } from './routes/events/matched-totals.js';
import { eventRead } from './routes/events/read.js';
import { eventStream } from './routes/events/stream.js';
import { exportCreate } from './routes/exports/create.js';
import { exportDownload } from './routes/exports/download.js';
import { exportList } from './routes/exports/list.js';
import { exportRead } from './routes/exports/read.js';
import { operatorAcceptInvitation } from './routes/operators/accept-invitation.js';
import { operatorDelete } from './routes/operators/delete.js';
import { operatorInvite } from './routes/operators/invite.js';
import { operatorInviteAgain } from './routes/operators/invite-again.js';
import { operatorList } from './routes/operators/list.js';
import { operatorMe } from './routes/operators/me.js';
import { operatorRead } from './routes/operators/read.js';
import { operatorSecondFactorRemove } from './routes/operators/remove-second-factor.js';
import { operatorUpdate } from './routes/operators/update.js';
import { previewCreate } from './routes/previews/create.js';
import { previewUserList } from './routes/previews/list-users.js';
import { previewRead } from './routes/previews/read.js';
import { reconciliationRead } from './routes/reconciliation/read.js';
import { requestLogList } from './routes/request-log/list.js';
import { riskUsers } from './routes/risk/users.js';
import { riskWagers } from './routes/risk/wagers.js';
import { sandboxClockMove } from './routes/sandboxes/clock-move.js';
import { sandboxClockRead } from './routes/sandboxes/clock-read.js';
import { sandboxCreate } from './routes/sandboxes/create.js';
import { sandboxDelete } from './routes/sandboxes/delete.js';
import { sandboxList } from './routes/sandboxes/list.js';
import { searchAll } from './routes/search/search.js';
import { accountSecondFactorAdd } from './routes/second-factor/add.js';
import { accountSecondFactorConfirm } from './routes/second-factor/confirm.js';
import { accountSecondFactorRead } from './routes/second-factor/read.js';
import { accountSecondFactorRemove } from './routes/second-factor/remove.js';
import { seriesRead } from './routes/series/read.js';
import { accountSessionEnd } from './routes/sessions/end.js';
import { accountSessionList } from './routes/sessions/list.js';
import { transactionFundUser } from './routes/transactions/fund-user.js';
import { transactionList } from './routes/transactions/list.js';
import { transactionRead, transactionReadByReference } from './routes/transactions/read.js';
import { transactionWithdraw } from './routes/transactions/withdraw.js';
import { userCreate } from './routes/users/create.js';
import { userImport } from './routes/users/import.js';
import { userList } from './routes/users/list.js';
import { userPositionList } from './routes/users/list-positions.js';
import { userRead, userReadByReference } from './routes/users/read.js';
import { userStatement } from './routes/users/statement.js';
import { userUpdate, userUpdateByReference } from './routes/users/update.js';
import { wagerCorrect } from './routes/wagers/correct.js';
import { wagerList } from './routes/wagers/list.js';
import { wagerRead } from './routes/wagers/read.js';
import { wagerBook } from './routes/wagers/read-book.js';
import { wagerSchedule } from './routes/wagers/schedule.js';
import { wagerClose, wagerResume, wagerSuspend } from './routes/wagers/status-change.js';
import { wagerBookStream } from './routes/wagers/stream-book.js';
import { webhookEndpointCreate } from './routes/webhook-endpoints/create.js';
import { webhookEndpointDelete } from './routes/webhook-endpoints/delete.js';
import { webhookEndpointDisable } from './routes/webhook-endpoints/disable.js';
import { webhookEndpointEnable } from './routes/webhook-endpoints/enable.js';
import { webhookEndpointList } from './routes/webhook-endpoints/list.js';
import { webhookAttemptList } from './routes/webhook-endpoints/list-attempts.js';
import { webhookEndpointRead } from './routes/webhook-endpoints/read.js';
import { webhookEndpointReplay } from './routes/webhook-endpoints/replay.js';
import { webhookEndpointRotateSecret } from './routes/webhook-endpoints/rotate-secret.js';
import { webhookEndpointTest } from './routes/webhook-endpoints/test.js';
import { webhookEndpointUpdate } from './routes/webhook-endpoints/update.js';

/**
 * All endpoints, by the names that the documentation and the client use. Express tries routes in this order, so the
 * busiest ones come first.
 */
export const namedEndpoints = {
  betMakeOffer,
  betAcceptOffer,
  betCancelOffer,
  betCancelAfter,
  betBatch,
  betUpdateWagerOutcome,
  transactionFundUser,
  transactionWithdraw,
  accountMe,
  accountHealth,
  accountPreferencesRead,
  accountPreferencesUpdate,
  accountMoneyUpdate,
  accountRegister,
  accountLogin,
  accountLogout,
  accountConfirm,
  accountSecondFactorRead,
  accountSecondFactorAdd,
  accountSecondFactorConfirm,
  accountSecondFactorRemove,
  accountGenerateKeys,
  accountApiKeyList,
  accountApiKeyCreate,
  accountApiKeyRevoke,
  accountSessionList,
  accountSessionEnd,
  accountEventList,
  requestLogList,
  accountVerifyEmail,
  accountConfirmEmail,
  accountResendVerification,
  accountResetPassword,
  accountForgotPassword,
  accountCreatePassword,
  operatorInvite,
  operatorList,
  operatorMe,
  operatorRead,
  operatorUpdate,
  operatorDelete,
  operatorSecondFactorRemove,
  operatorInviteAgain,
  operatorAcceptInvitation,
  userCreate,
  userImport,
  userList,
  userRead,
  userReadByReference,
  userUpdate,
  userUpdateByReference,
  userPositionList,
  userStatement,
  betOpenList,
  betHistory,
  betOverrideOutcome,
  betRead,
  changeRequestCreate,
  changeRequestList,
  changeRequestRead,
  changeRequestApprove,
  changeRequestReject,
  changeRequestWithdraw,
  previewCreate,
  previewRead,
  previewUserList,
  transactionList,
  transactionRead,
  transactionReadByReference,
  reconciliationRead,
  riskWagers,
  riskUsers,
  searchAll,
  seriesRead,
  wagerList,
  wagerRead,
  wagerSchedule,
  wagerSuspend,
  wagerResume,
  wagerClose,
  wagerCorrect,
  eventList,
  eventStream,
  eventMatchedTotals,
  eventRead,
  wagerBook,
  wagerBookStream,
  webhookEndpointCreate,
  webhookEndpointList,
  webhookEndpointRead,
  webhookEndpointUpdate,
  webhookEndpointDelete,
  webhookEndpointRotateSecret,
  webhookEndpointTest,
  webhookEndpointEnable,
  webhookEndpointDisable,
  webhookEndpointReplay,
  webhookAttemptList,
  sandboxCreate,
  sandboxList,
  sandboxDelete,
  sandboxClockRead,
  sandboxClockMove,
  exportCreate,
  exportList,
  exportRead,
  exportDownload,
  adminHealth,
  adminAccountList,
  adminAccountRead,
  adminAccountUpdate,
  adminAccountEndAccess,
  adminWagerForceOutcome,
  adminBetSetInactive,
  adminBetSetActive,
  adminBetForceOverride,
} satisfies Record<EndpointName, Endpoint>;

export const endpoints: readonly Endpoint[] = Object.values(namedEndpoints);
