// Reads one answer of the kind text/event-stream. EventSource would hide the status of a refused stream, and events of
// types that it was not told.

export interface Frame {
  readonly id: string | undefined;
  readonly event: string;
  readonly data: string;
}

/** A frame of a stream that never ends it would fill the memory. */
const LONGEST_FRAME = 4_000_000;

function frameIn(block: string): Frame | undefined {
  let id: string | undefined;
  let event = 'message';
  const data: string[] = [];
  for (const line of block.split('\n')) {
    const [, field = '', value = ''] = /^([^:]*):? ?(.*)$/.exec(line) ?? [];
    if (field === 'id') id = value;
    if (field === 'event') event = value;
    if (field === 'data') data.push(value);
  }
  return data.length === 0 ? undefined : { id, event, data: data.join('\n') };
}

/** Calls `onFrame` for each frame, and `onSign` for anything that arrives, until the stream ends. */
export async function readFrames(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  { onFrame, onSign }: { onFrame(frame: Frame): void; onSign(): void },
): Promise<void> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let waiting = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    onSign();
    // A CRLF may be cut between two pieces, so the CR alone is dropped wherever it stands.
    waiting += value.replaceAll('\r', '');
    const blocks = waiting.split('\n\n');
    waiting = blocks.pop() ?? '';
    if (waiting.length > LONGEST_FRAME) throw new Error('A frame of the stream is too long');
    for (const block of blocks) {
      const frame = frameIn(block);
      if (frame !== undefined) onFrame(frame);
    }
  }
}
