import type { AccessRow } from '#accounts/access/access-repository.js';
import type { StoredBytes } from '#platform/quotas/stored-bytes.js';

interface Stored {
  readonly bodyBytes: number;
  readonly hasKey: boolean;
}

/**
 * Refuses a request for which its account has no room. What is returned notes what the request has stored: its body, and with a
 * key its answer.
 */
export function roomFor(account: AccessRow, storedBytes: StoredBytes, { bodyBytes, hasKey }: Stored) {
  storedBytes.assertRoom(account, bodyBytes, hasKey);
  return (answerBytes: number) => storedBytes.add(account, bodyBytes + (hasKey ? answerBytes : 0));
}
