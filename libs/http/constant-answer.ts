import { hash } from 'node:crypto';
import type { Request, RequestHandler, Response } from 'express';

/** An answer that does not change while the process runs. */
export interface Source {
  readonly type: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Called at the first request, and again only after a failure. */
  read(): string | Buffer | Promise<string | Buffer>;
}

interface Constant {
  readonly body: Buffer;
  readonly etag: string;
}

async function readConstant(source: Source): Promise<Constant> {
  const body = Buffer.from(await source.read());
  return { body, etag: `"${hash('sha256', body, 'base64url')}"` };
}

function send(request: Request, response: Response, { body, etag }: Constant): void {
  response.setHeader('ETag', etag);
  if (request.headers['if-none-match'] === etag) {
    response.status(304).end();
    return;
  }
  response.setHeader('Content-Length', body.length);
  response.end(request.method === 'HEAD' ? undefined : body);
}

/** Sends one buffer to all connections: what waits to be written refers to it, and copies nothing. */
export function sendConstant(source: Source): RequestHandler {
  let made: Promise<Constant> | undefined;
  return async (request, response) => {
    made ??= readConstant(source);
    const constant = await made.catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    for (const [name, value] of Object.entries(source.headers ?? {})) response.setHeader(name, value);
    response.setHeader('Content-Type', source.type);
    send(request, response, constant);
  };
}
