/** The methods of requests that change nothing. */
export const READING: ReadonlySet<string> = new Set(['GET', 'HEAD']);
