// The data at the end of a page, as the console's server writes it and the page's script reads it.

export type Role = 'viewer' | 'trader' | 'settler' | 'approver' | 'owner';

/** What a page may know of its session: whose it is. The API token stays with the server. */
export interface Session {
  readonly account: {
    readonly id: number;
    readonly name: string;
    readonly email: string;
    readonly role: 'business' | 'admin';
  };
  /** Who has logged in. */
  readonly operator: { readonly id: number; readonly name: string; readonly email: string; readonly role: Role };
  /** The address of the API for programs, as links and examples show it. */
  readonly apiUrl: string;
  /** The account asks for a second factor, and the person has none: the API takes nothing else until one is added. */
  readonly mustAddFactor?: true;
}

/** An answer of the API to what the first view asks, with the headers that pages read. */
export interface FirstAnswer {
  readonly body: object;
  readonly asOf?: string | undefined;
  readonly date?: string | undefined;
}

export interface FirstView {
  readonly session: Session;
  /** By path and query. */
  readonly answers: Readonly<Record<string, FirstAnswer>>;
}
