import { expect, it } from '@jest/globals';
import { groupRow, operationsIn } from './logged-events.js';

/** What is stored of an operation with this request, and what is read of it. */
function storedAndRead(requestId: string | null) {
  const operation = { cause: { actor: 'key:7:12', requestId }, events: [{ kind: 'offer.made', ref: 1n }] } as const;
  const { operations: stored } = groupRow({ accountId: 7n, operations: [operation] });
  return { stored, read: operationsIn(String(stored)) };
}

it.each([
  ['5f0c1c0e-3a8b-4d6c-9a51-2f6f0f9d7a11', '1 key:7:12 ~XwwcDjqLTWyaUS9vD516EQ'],
  ['5F0C1C0E-3A8B-4D6C-9A51-2F6F0F9D7A11', '1 key:7:12 5F0C1C0E-3A8B-4D6C-9A51-2F6F0F9D7A11'],
  ['XwwcDjqLTWyaUS9vD516EQ', '1 key:7:12 XwwcDjqLTWyaUS9vD516EQ'],
  ['00000000-0000-0000-0000-000000000000', '1 key:7:12 ~AAAAAAAAAAAAAAAAAAAAAA'],
  [null, '1 key:7:12 -'],
])('the id %s of a request is read as it came', (requestId, stored) => {
  expect(storedAndRead(requestId)).toEqual({ stored, read: [{ count: 1, actor: 'key:7:12', requestId }] });
});
