// The pictures of docs/console.

export interface Picture {
  /** The beginning of the file's name. */
  readonly name: string;
  readonly path: string;
  /** The title of a part that comes later than the page. */
  readonly part?: string;
  /** In the heading of the page, which says that it is there. */
  readonly heading: string;
}

export const pictures: readonly Picture[] = [
  { name: 'overview', path: '/', heading: 'Overview', part: 'Risk' },
  { name: 'wager', path: '/wagers/saturday-final-home-win', heading: 'saturday-final-home-win' },
  { name: 'risk', path: '/risk', heading: 'Risk' },
  { name: 'user', path: '/users/mara-quill', heading: 'mara-quill' },
];

/** How each page is shown. */
export const looks = [
  { name: 'light', colorScheme: 'light', viewport: { width: 1280, height: 800 } },
  { name: 'dark', colorScheme: 'dark', viewport: { width: 1280, height: 800 } },
  { name: 'phone', colorScheme: 'light', viewport: { width: 390, height: 844 } },
] as const;
