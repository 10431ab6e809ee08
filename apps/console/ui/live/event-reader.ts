import { type ServerEvent, ServerEventParser } from '#clients/typescript/server-events.js';

// Reads one answer of the kind text/event-stream. EventSource would hide the status of a refused stream, and events of
// types that it was not told.

export type Frame = ServerEvent;

/** A frame of a stream that never ends it would fill the memory. */
const LONGEST_FRAME = 4_000_000;

/** Calls `onFrame` for each frame, and `onSign` for anything that arrives, until the stream ends. */
export async function readFrames(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  { onFrame, onSign }: { onFrame(frame: Frame): void; onSign(): void },
): Promise<void> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  const parser = new ServerEventParser();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    onSign();
    // A CRLF may be cut between two pieces, so the CR alone is dropped wherever it stands.
    parser.push(value.replaceAll('\r', '')).forEach(onFrame);
    if (parser.waitingLength > LONGEST_FRAME) throw new Error('A frame of the stream is too long');
  }
}
