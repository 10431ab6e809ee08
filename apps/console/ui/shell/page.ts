import type { ComponentType } from 'preact';

export interface PageProps {
  /** The parts of the address that the path names, decoded. */
  readonly params: Readonly<Record<string, string>>;
  /** The query of the address. */
  readonly query: Readonly<Record<string, string>>;
}

/** A page of the console. `pages/pages.ts` lists them. */
export interface Page {
  /** Like `/wagers/:reference`. */
  readonly path: string;
  /** For pages about one thing, the view sets a title of its own with `<Heading>`. */
  readonly title: string;
  /** Its place in the navigation; without one it is reached by links. */
  readonly navigation?: 'ledger' | 'integration' | 'account' | 'admin';
  /** About the person's own account alone: admins who look into another one do not see it. */
  readonly isOwn?: boolean;
  /** Does not exist for others. */
  readonly isForAdmins?: boolean;
  readonly view: ComponentType<PageProps>;
  /** Of a view whose script comes later: loads it. */
  readonly loadView?: () => Promise<void>;
}
