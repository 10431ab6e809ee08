import type { CallerRole } from '#accounts/access/caller-role.js';

/** Of an endpoint that everyone may call. */
const PUBLIC = undefined;

/**
 * The least role that may call each endpoint; the compiler compares the names with those of the endpoints. An operation of a
 * batch needs that of the endpoint that does it alone.
 */
const leastRoles = {
  accountRegister: PUBLIC,
  accountLogin: PUBLIC,
  accountVerifyEmail: PUBLIC,
  accountConfirmEmail: PUBLIC,
  accountForgotPassword: PUBLIC,
  accountCreatePassword: PUBLIC,
  operatorAcceptInvitation: PUBLIC,

  // Reads, and what concerns the caller's own access
  accountLogout: 'viewer',
  accountResetPassword: 'viewer',
  accountMe: 'viewer',
  accountHealth: 'viewer',
  accountPreferencesRead: 'viewer',
  accountApiKeyList: 'viewer',
  accountSessionList: 'viewer',
  accountSessionEnd: 'viewer',
  operatorMe: 'viewer',
  operatorList: 'viewer',
  operatorRead: 'viewer',
  accountEventList: 'viewer',
  requestLogList: 'viewer',
  userList: 'viewer',
  userRead: 'viewer',
  userReadByReference: 'viewer',
  userPositionList: 'viewer',
  userStatement: 'viewer',
  betOpenList: 'viewer',
  betHistory: 'viewer',
  betRead: 'viewer',
  previewCreate: 'viewer',
  previewRead: 'viewer',
  previewUserList: 'viewer',
  changeRequestList: 'viewer',
  changeRequestRead: 'viewer',
  transactionList: 'viewer',
  transactionRead: 'viewer',
  transactionReadByReference: 'viewer',
  reconciliationRead: 'viewer',
  wagerList: 'viewer',
  wagerRead: 'viewer',
  wagerBook: 'viewer',
  wagerBookStream: 'viewer',
  eventList: 'viewer',
  eventStream: 'viewer',
  eventMatchedTotals: 'viewer',
  eventRead: 'viewer',
  webhookEndpointList: 'viewer',
  webhookEndpointRead: 'viewer',
  webhookAttemptList: 'viewer',
  sandboxList: 'viewer',
  sandboxClockRead: 'viewer',
  exportCreate: 'viewer',
  exportList: 'viewer',
  exportRead: 'viewer',
  exportDownload: 'viewer',
  adminHealth: 'viewer',
  adminAccountList: 'viewer',
  adminAccountRead: 'viewer',

  // Betting and money
  betMakeOffer: 'trader',
  betAcceptOffer: 'trader',
  betCancelOffer: 'trader',
  betCancelAfter: 'trader',
  betBatch: 'trader',
  transactionFundUser: 'trader',
  transactionWithdraw: 'trader',
  userCreate: 'trader',
  userImport: 'trader',
  userUpdate: 'trader',
  userUpdateByReference: 'trader',
  wagerSchedule: 'trader',
  changeRequestCreate: 'trader',
  changeRequestWithdraw: 'trader',
  wagerSuspend: 'trader',
  wagerResume: 'trader',

  // What decides bets, and ends betting for good
  betUpdateWagerOutcome: 'settler',
  betOverrideOutcome: 'settler',
  wagerClose: 'settler',

  // What another person has asked for
  changeRequestApprove: 'approver',
  changeRequestReject: 'approver',

  // Access, settings, and what admins change
  accountGenerateKeys: 'owner',
  accountApiKeyCreate: 'owner',
  accountApiKeyRevoke: 'owner',
  operatorInvite: 'owner',
  operatorInviteAgain: 'owner',
  operatorUpdate: 'owner',
  operatorDelete: 'owner',
  accountResendVerification: 'owner',
  accountPreferencesUpdate: 'owner',
  accountMoneyUpdate: 'owner',
  webhookEndpointCreate: 'owner',
  webhookEndpointUpdate: 'owner',
  webhookEndpointDelete: 'owner',
  webhookEndpointRotateSecret: 'owner',
  webhookEndpointTest: 'owner',
  webhookEndpointEnable: 'owner',
  webhookEndpointDisable: 'owner',
  webhookEndpointReplay: 'owner',
  sandboxCreate: 'owner',
  sandboxDelete: 'owner',
  sandboxClockMove: 'owner',
  adminAccountUpdate: 'owner',
  adminAccountEndAccess: 'owner',
  adminWagerForceOutcome: 'owner',
  adminBetSetInactive: 'owner',
  adminBetSetActive: 'owner',
  adminBetForceOverride: 'owner',
} as const satisfies Readonly<Record<string, CallerRole | typeof PUBLIC>>;

export type EndpointName = keyof typeof leastRoles;

/** Undefined: everyone may call it. */
export const leastRoleOf = (name: EndpointName): CallerRole | undefined => leastRoles[name];
