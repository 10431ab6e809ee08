import type { Request } from 'express';
import type { Caller } from '#accounts/access/authenticator.js';
import { bodyBytesOf } from '#http/read-json.js';
import type { StoredBytes } from '#platform/quotas/stored-bytes.js';

interface Definition {
  readonly method: string;
  readonly access: string;
}

interface Storing {
  readonly storedBytes: StoredBytes;
  readonly hasKey: boolean;
}

/**
 * Refuses a request for which its account has no room. What is returned notes what the request has stored: its body, and with a
 * key its answer. A read stores nothing.
 */
export function roomFor({ method, access }: Definition, request: Request, { storedBytes, hasKey }: Storing) {
  if (method === 'get' || access === 'public') return undefined;
  const bodyBytes = bodyBytesOf(request);
  // Most requests are small and have no key.
  if (bodyBytes === 0 && !hasKey) return undefined;
  const { account } = request.user as Caller;
  storedBytes.assertRoom(account, bodyBytes, hasKey);
  return (answerBytes: number) => storedBytes.add(account, bodyBytes + (hasKey ? answerBytes : 0));
}
