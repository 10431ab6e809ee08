// The pictures of docs/console.

export interface Picture {
  /** The beginning of the file's name. */
  readonly name: string;
  readonly path: string;
  /** The heading of the page, which says that it is there. */
  readonly heading: string;
}

export const pictures: readonly Picture[] = [{ name: 'overview', path: '/', heading: 'Overview' }];

/** How each page is shown. */
export const looks = [
  { name: 'light', colorScheme: 'light', viewport: { width: 1280, height: 800 } },
  { name: 'dark', colorScheme: 'dark', viewport: { width: 1280, height: 800 } },
  { name: 'phone', colorScheme: 'light', viewport: { width: 390, height: 844 } },
] as const;
