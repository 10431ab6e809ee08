import { describe, expect, it } from '@jest/globals';
import { type Frame, readFrames } from './event-reader.js';

const STREAM =
  'retry: 1000\r\nid: a\r\nevent: bookmark\r\ndata: {}\r\n\r\n: a comment\n\nid: b\nevent: bet.settled\ndata: {"name":\ndata: "Zoë 🎲"}\n\nid: lost\ndata: cut';

async function framesIn(pieces: readonly Uint8Array[]) {
  const frames: Frame[] = [];
  let signs = 0;
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start(controller) {
      for (const piece of pieces) controller.enqueue(new Uint8Array(piece));
      controller.close();
    },
  });
  await readFrames(body, {
    onFrame: (frame) => frames.push(frame),
    onSign: () => {
      signs += 1;
    },
  });
  return { frames, signs };
}

describe('the reader of a stream', () => {
  const bytes = new TextEncoder().encode(STREAM);
  const expected = [
    { id: 'a', event: 'bookmark', data: '{}' },
    { id: 'b', event: 'bet.settled', data: '{"name":\n"Zoë 🎲"}' },
  ];

  it('finds the same whole frames wherever the stream is cut', async () => {
    for (let size = 1; size <= bytes.length; size += 7) {
      const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
        bytes.subarray(index * size, (index + 1) * size),
      );
      expect((await framesIn(pieces)).frames).toEqual(expected);
    }
  });

  it('takes whatever arrives as a sign of life', async () => {
    expect((await framesIn([bytes.subarray(0, 3), bytes.subarray(3, 5)])).signs).toBeGreaterThan(0);
  });
});
