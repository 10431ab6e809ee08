import { describe, expect, it } from '@jest/globals';
import { ResponseReader } from './response-reader.js';

const answer = (body: string) => Buffer.from(`HTTP/1.1 201 Created\r\nContent-Length: ${body.length}\r\n\r\n${body}`);

describe('the response reader', () => {
  it('reads one answer after another, however they are cut', () => {
    const reader = new ResponseReader();
    for (const text of ['{"data":1}', '', '{"message":"ok"}']) {
      const bytes = answer(text);
      for (let cut = 1; cut < bytes.length; cut += 1) {
        expect(reader.push(bytes.subarray(0, cut))).toBeUndefined();
        const read = reader.push(bytes.subarray(cut));
        expect([read?.status, read?.body.toString()]).toEqual([201, text]);
      }
      expect(reader.push(bytes)?.body.toString()).toBe(text);
    }
  });

  it('refuses what it cannot cut', () => {
    const chunked = Buffer.from('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n');
    expect(() => new ResponseReader().push(chunked)).toThrow('Content-Length');
    expect(() => new ResponseReader().push(Buffer.concat([answer('a'), answer('b')]))).toThrow(
      'an answer without a request',
    );
  });
});
