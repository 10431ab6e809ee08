export const VERSION_HEADER = 'Ledger-Version';

/** The date of the newest entry of docs/changelog.md: the contract that callers rely on, not the program. */
export const API_VERSION = '2026-11-26';

/** Each endpoint is served under it as well. */
export const VERSION_PATH = '/v1';
