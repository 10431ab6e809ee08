import type { AccountClient, Seen } from './account-client.js';

/** What the accounts saw while `during` ran. */
export async function underLoad(
  accounts: readonly AccountClient[],
  during: () => Promise<void>,
): Promise<ReadonlyMap<AccountClient, Seen>> {
  for (const account of accounts) account.seen = { done: 0, refused: 0, unclear: 0 };
  const ending = new AbortController();
  const writing = Promise.all(accounts.map((account) => account.writeUntil(ending.signal)));
  try {
    await during();
  } finally {
    ending.abort();
  }
  await writing;
  return new Map(accounts.map((account) => [account, { ...account.seen }]));
}

export const sumOf = (seen: readonly Seen[]): Seen => ({
  done: seen.reduce((sum, { done }) => sum + done, 0),
  refused: seen.reduce((sum, { refused }) => sum + refused, 0),
  unclear: seen.reduce((sum, { unclear }) => sum + unclear, 0),
});

export const textOf = ({ done, refused, unclear }: Seen): string =>
  `${done} done, ${refused} answered 503 with Retry-After, ${unclear} repeated with their key`;
