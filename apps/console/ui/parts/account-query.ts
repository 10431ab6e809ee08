/** For links, which keep the account that an admin looks into. */
export const accountQuery = (account: number | undefined): string =>
  account === undefined ? '' : `?account=${account}`;
