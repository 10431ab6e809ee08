import { describe, expect, it } from '@jest/globals';
import { BEGINNING, decodePosition, type EventMark, encodePosition, isPositionOf } from './event-position.js';

const mark: EventMark = { seq: 4_711n, at: 1_768_509_912_123_456n, kind: 9, ref: 501n };

const decoded = (text: string) => {
  const position = decodePosition(text);
  if (position === undefined) throw new Error(`${text} is no position`);
  return position;
};

describe('a position', () => {
  it('names the account and the event that it was made of, and no other one', () => {
    const position = decoded(encodePosition(7n, mark));
    expect(position).toMatchObject({ accountId: 7n, seq: 4_711n });
    expect(isPositionOf(position, mark)).toBe(true);
    const others = [{ seq: 4_712n }, { at: mark.at + 1n }, { kind: 10 }, { ref: 502n }];
    for (const other of others) expect([other, isPositionOf(position, { ...mark, ...other })]).toEqual([other, false]);
    expect(isPositionOf(decoded(encodePosition(8n, mark)), mark)).toBe(true);
    expect(encodePosition(8n, mark)).not.toBe(encodePosition(7n, mark));
  });

  it('may be the beginning, and goes into an address as it is', () => {
    const text = encodePosition(7n, BEGINNING);
    expect(decoded(text)).toMatchObject({ accountId: 7n, seq: 0n });
    expect(encodeURIComponent(text)).toBe(text);
  });

  it('has one writing', () => {
    const text = encodePosition(7n, mark);
    const bytes = Buffer.from(text, 'base64url');
    const otherVersion = Buffer.from(bytes).fill(2, 0, 1);
    const negative = Buffer.from(bytes);
    negative.writeBigInt64BE(-1n, 9);
    const hashedBeginning = Buffer.from(bytes);
    hashedBeginning.writeBigInt64BE(0n, 9);
    const texts = [otherVersion, negative, hashedBeginning, bytes.subarray(1), Buffer.concat([bytes, bytes])];
    const wrong = [
      ...texts.map((one) => one.toString('base64url')),
      '',
      `${text}=`,
      ` ${text}`,
      `${text.slice(0, -1)}!`,
    ];
    for (const one of wrong) expect([one, decodePosition(one)]).toEqual([one, undefined]);
  });
});
