import type { Request, Response } from 'express';
import { READING } from '#http/methods.js';
import type { FoundSession, SessionStore } from './session-store.js';

/** Browsers take a `__Host-` cookie over TLS only, and then from this very host alone. */
const cookieNameFor = ({ secure }: Request) => (secure ? '__Host-console' : 'console');

/** Without an age, so that browsers drop it at their end. Other sites cannot make them send it. */
const cookieOptionsFor = ({ secure }: Request) => ({ httpOnly: true, sameSite: 'strict', secure, path: '/' }) as const;

/** Of the cookie that the browser has sent. */
function sessionIdOf(request: Request): string | undefined {
  const start = `${cookieNameFor(request)}=`;
  const cookies = (request.headers.cookie ?? '').split(';').map((cookie) => cookie.trim());
  return cookies.find((cookie) => cookie.startsWith(start))?.slice(start.length);
}

const PERSON_HEADER = 'console-person';

/**
 * Whether a person caused the request. The page marks its requests of the minute after a key or a pointer was pressed; a person
 * also opens pages. Pages ask for much by themselves, which must not keep a session alive.
 */
function isByPerson({ method, headers }: Request): boolean {
  const opensPage = READING.has(method) && (headers.accept ?? '').includes('text/html');
  return opensPage || headers[PERSON_HEADER] === '1';
}

interface BegunSession {
  readonly token: string;
  readonly operatorId: number;
}

/** The sessions of browsers, for all pages of this process. */
export interface Sessions {
  /** The session of the request's cookie. A request that a person caused postpones its end. */
  find(request: Request): Promise<FoundSession | undefined>;
  /** The same, after the request itself: it postpones nothing. */
  findAgain(request: Request): Promise<FoundSession | undefined>;
  /** Begins a session with a new id, also when the browser sent one. */
  begin(request: Request, response: Response, begun: BegunSession): Promise<void>;
  /** Forgets the session, here and in the browser. */
  end(request: Request, response: Response): Promise<void>;
}

export function createSessions(store: SessionStore): Sessions {
  async function remove(request: Request): Promise<void> {
    const id = sessionIdOf(request);
    if (id !== undefined) await store.remove(id);
  }

  async function use(request: Request, byPerson: boolean): Promise<FoundSession | undefined> {
    const id = sessionIdOf(request);
    return id === undefined ? undefined : store.use(id, byPerson);
  }

  return {
    find: (request) => use(request, isByPerson(request)),
    findAgain: (request) => use(request, false),
    async begin(request, response, { token, operatorId }) {
      await remove(request);
      response.cookie(cookieNameFor(request), await store.add(token, operatorId), cookieOptionsFor(request));
    },
    async end(request, response) {
      await remove(request);
      response.clearCookie(cookieNameFor(request), cookieOptionsFor(request));
    },
  };
}
