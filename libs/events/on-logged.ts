/** Hears of a commit: the accounts whose logs have grown, and by how many events together. */
export type OnLogged = (accountIds: readonly bigint[], eventCount: number) => void;
