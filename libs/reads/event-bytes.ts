import type { LogEvent } from './event.js';

// How large an event is as JSON, without making the JSON. Never less than it is, and hardly more for events that are large.

/** Names and values of all fields whose length does not vary much. */
const FRAME = 1_000;
const TRANSACTION = 300;
/** At most, in UTF-8 and as JSON: neither references nor descriptions have control characters. */
const CHARACTER = 3;

export function bytesOf({ extra, bet, wager, transactions, actor }: LogEvent): number {
  const reference = bet?.wagerReference ?? wager?.reference ?? '';
  let bytes = FRAME + CHARACTER * (reference.length + (actor.name?.length ?? 0)) + (bet?.allowedAcceptorBytes ?? 0);
  bytes += CHARACTER * (bet?.metaCharacters ?? 0);
  for (const { description, labelCharacters } of transactions) {
    bytes += TRANSACTION + CHARACTER * (description.length + labelCharacters);
  }
  for (const name in extra) if (Object.hasOwn(extra, name)) return bytes + Buffer.byteLength(JSON.stringify(extra));
  return bytes;
}
