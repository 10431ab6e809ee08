import { LedgerError, LedgerUnreachable } from './errors.js';
import type { components } from './generated.js';
import { pause } from './retrying-fetch.js';
import { createSha256 } from './sha256.js';

export type Export = components['schemas']['Export'];
export type ExportRequest = components['schemas']['CreateExport'];

/** An export ended without a file. */
export class ExportFailed extends Error {
  override readonly name = 'ExportFailed';

  constructor(readonly export_: Export) {
    super(`export ${export_.id} has failed: ${export_.failure}`);
  }
}

/** The bytes that came are not those of the file. */
export class ExportDamaged extends Error {
  override readonly name = 'ExportDamaged';
}

interface ReadOptions {
  readonly signal?: AbortSignal;
}

export interface WaitOptions extends ReadOptions {
  /** Between two looks (default 500). */
  readonly everyMs?: number;
}

export interface ExportFile {
  /** A name for the file. */
  readonly name: string;
  readonly type: string;
  readonly bytes: number;
  /** In hexadecimal digits. */
  readonly sha256: string;
  /** The content as it comes in. It ends with an ExportDamaged unless it has this size and digest. */
  readonly stream: ReadableStream<Uint8Array>;
}

export interface Exports {
  /** Asks for an export, which a worker makes. Takes the options of every call. */
  create(request: ExportRequest, options?: { readonly idempotencyKey?: string }): Promise<Export>;
  read(id: number, options?: ReadOptions): Promise<Export>;
  /** Looks until the export is done; throws an ExportFailed when it has failed. */
  wait(id: number, options?: WaitOptions): Promise<Export>;
  /** Downloads the file of an export that is done. */
  download(id: number, options?: ReadOptions): Promise<ExportFile>;
}

/** The calls of the client, which have its keys, retries and time-outs. */
export interface ExportCalls {
  create(body: ExportRequest, options: { readonly idempotencyKey?: string }): Promise<{ readonly data: Export }>;
  read(id: number, options: ReadOptions): Promise<{ readonly data: Export }>;
}

export interface Downloads {
  readonly baseUrl: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly fetch: (request: Request) => Promise<Response>;
}

const EVERY_MS = 500;

export function createExports(calls: ExportCalls, downloads: Downloads): Exports {
  const read = async (id: number, options: ReadOptions = {}) => (await calls.read(id, options)).data;
  return {
    create: async (body, options = {}) => (await calls.create(body, options)).data,
    read,
    async wait(id, { everyMs = EVERY_MS, ...options } = {}) {
      for (;;) {
        const found = await read(id, options);
        if (found.state === 'failed') throw new ExportFailed(found);
        if (found.state === 'done') return found;
        await pause(everyMs, options.signal);
      }
    },
    download: (id, { signal } = {}) => download(downloads, id, signal),
  };
}

async function download({ baseUrl, headers, fetch }: Downloads, id: number, signal?: AbortSignal): Promise<ExportFile> {
  // A file is not read into memory, so the time-out and the retries of other calls do not fit it.
  const url = `${baseUrl.replace(/\/$/, '')}/exports/${id}/file`;
  const request = new Request(url, { headers, redirect: 'manual', ...(signal && { signal }) });
  const response = await fetch(request).catch((cause) => {
    if (signal?.aborted) throw signal.reason;
    throw new LedgerUnreachable(request, 1, undefined, cause);
  });
  if (response.status !== 200 || response.body === null) {
    const body: unknown = await response.json().catch(() => undefined);
    throw new LedgerError(`GET /exports/${id}/file`, response, body, undefined);
  }
  const file = {
    name: /filename="([^"]*)"/.exec(response.headers.get('Content-Disposition') ?? '')?.[1] ?? `export-${id}`,
    type: response.headers.get('Content-Type') ?? '',
    bytes: Number(response.headers.get('Content-Length')),
    sha256: /^"(\w+)"$/.exec(response.headers.get('ETag') ?? '')?.[1] ?? '',
  };
  return { ...file, stream: response.body.pipeThrough(checking(file)) };
}

/** Passes the content on, and fails at its end when it is not the file. */
function checking({ bytes, sha256 }: Pick<ExportFile, 'bytes' | 'sha256'>): TransformStream<Uint8Array, Uint8Array> {
  const hash = createSha256();
  let received = 0;
  return new TransformStream({
    transform(chunk, controller) {
      hash.update(chunk);
      received += chunk.byteLength;
      controller.enqueue(chunk);
    },
    flush() {
      if (received !== bytes || hash.digest() !== sha256) {
        throw new ExportDamaged(`${received} bytes came, which are not the ${bytes} of the file`);
      }
    },
  });
}
