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
import { betAcceptOffer } from './routes/bet-accept-offer.js';
import { betBatch } from './routes/bet-batch.js';
import { betCancelOffer } from './routes/bet-cancel-offer.js';
import { betHistory } from './routes/bet-history.js';
import { betMakeOffer } from './routes/bet-make-offer.js';
import { betOpenList } from './routes/bet-open-list.js';
import { betRead } from './routes/bet-read.js';
import { transactionFundUser } from './routes/transaction-fund-user.js';
import { transactionList } from './routes/transaction-list.js';
import { transactionRead, transactionReadByReference } from './routes/transaction-read.js';
import { transactionWithdraw } from './routes/transaction-withdraw.js';
import { userCreate } from './routes/user-create.js';
import { userList } from './routes/user-list.js';
import { userRead, userReadByReference } from './routes/user-read.js';
import { userUpdate, userUpdateByReference } from './routes/user-update.js';

/** Everything the API can be asked. Routes are tried in this order, so what is asked most often stands first. */
export const endpoints: readonly Endpoint[] = [
  betMakeOffer,
  betAcceptOffer,
  betCancelOffer,
  betBatch,
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
  betOpenList,
  betHistory,
  betRead,
  transactionList,
  transactionRead,
  transactionReadByReference,
];
