import type { Endpoint } from './endpoint.js';
import { accountCreatePassword } from './routes/account-create-password.js';
import { accountForgotPassword } from './routes/account-forgot-password.js';
import { accountGenerateKeys } from './routes/account-generate-keys.js';
import { accountLogin } from './routes/account-login.js';
import { accountLogout } from './routes/account-logout.js';
import { accountMe } from './routes/account-me.js';
import { accountRegister } from './routes/account-register.js';
import { accountResendVerification } from './routes/account-resend-verification.js';
import { accountResetPassword } from './routes/account-reset-password.js';
import { accountVerifyEmail } from './routes/account-verify-email.js';
import { adminAccountList } from './routes/admin-account-list.js';
import { adminAccountRead } from './routes/admin-account-read.js';
import { adminAccountUpdate } from './routes/admin-account-update.js';
import { adminBetForceOverride } from './routes/admin-bet-force-override.js';
import { adminBetSetActive, adminBetSetInactive } from './routes/admin-bet-set-active.js';
import { adminWagerForceOutcome } from './routes/admin-wager-force-outcome.js';
import { betAcceptOffer } from './routes/bet-accept-offer.js';
import { betBatch } from './routes/bet-batch.js';
import { betCancelOffer } from './routes/bet-cancel-offer.js';
import { betHistory } from './routes/bet-history.js';
import { betMakeOffer } from './routes/bet-make-offer.js';
import { betOpenList } from './routes/bet-open-list.js';
import { betOverrideOutcome } from './routes/bet-override-outcome.js';
import { betRead } from './routes/bet-read.js';
import { betUpdateWagerOutcome } from './routes/bet-update-wager-outcome.js';
import { transactionFundUser } from './routes/transaction-fund-user.js';
import { transactionList } from './routes/transaction-list.js';
import { transactionRead, transactionReadByReference } from './routes/transaction-read.js';
import { transactionWithdraw } from './routes/transaction-withdraw.js';
import { userCreate } from './routes/user-create.js';
import { userList } from './routes/user-list.js';
import { userPositionList } from './routes/user-position-list.js';
import { userRead, userReadByReference } from './routes/user-read.js';
import { userUpdate, userUpdateByReference } from './routes/user-update.js';
import { wagerList } from './routes/wager-list.js';
import { wagerRead } from './routes/wager-read.js';

/**
 * Everything the API can be asked, by the names that the documentation and the client use. Routes are tried in this
 * order, so what is asked most often stands first.
 */
export const namedEndpoints = {
  betMakeOffer,
  betAcceptOffer,
  betCancelOffer,
  betBatch,
  betUpdateWagerOutcome,
  transactionFundUser,
  transactionWithdraw,
  accountMe,
  accountRegister,
  accountLogin,
  accountLogout,
  accountGenerateKeys,
  accountVerifyEmail,
  accountResendVerification,
  accountResetPassword,
  accountForgotPassword,
  accountCreatePassword,
  userCreate,
  userList,
  userRead,
  userReadByReference,
  userUpdate,
  userUpdateByReference,
  userPositionList,
  betOpenList,
  betHistory,
  betOverrideOutcome,
  betRead,
  transactionList,
  transactionRead,
  transactionReadByReference,
  wagerList,
  wagerRead,
  adminAccountList,
  adminAccountRead,
  adminAccountUpdate,
  adminWagerForceOutcome,
  adminBetSetInactive,
  adminBetSetActive,
  adminBetForceOverride,
} satisfies Record<string, Endpoint>;

export const endpoints: readonly Endpoint[] = Object.values(namedEndpoints);
