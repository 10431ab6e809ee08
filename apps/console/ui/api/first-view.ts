// What came with the page for its first view. The server of the console has read it while the script was on its way.

/** The session as the server tells it. The API token stays with the server. */
export interface Session {
  readonly account: {
    readonly id: number;
    readonly name: string;
    readonly email: string;
    readonly role: 'business' | 'admin';
  };
  /** The address of the API for programs, as links and examples show it. */
  readonly apiUrl: string;
}

/** An answer of the API to what the first view asks. */
interface FirstAnswer {
  readonly body: object;
  readonly asOf?: string;
  readonly date?: string;
}

interface FirstView {
  readonly session?: Session;
  /** By path and query. */
  readonly answers?: Readonly<Record<string, FirstAnswer>>;
}

let first: FirstView = JSON.parse(document.getElementById('first-view')?.textContent || '{}');

export const firstSession = (): Session | undefined => first.session;

export function firstAnswer(path: string, query: object = {}): FirstAnswer | undefined {
  const search = new URLSearchParams(Object.entries(query)).toString();
  return first.answers?.[search === '' ? path : `${path}?${search}`];
}

/** After the first view, each answer would be an old one. */
export function forgetFirstView(): void {
  first = {};
}
