// CSV as RFC 4180 says, written and read: lines end with CRLF, and the first one names the columns.

/** A spreadsheet runs a text that begins so: it gets a leading apostrophe, as in the exports of the API. */
const FORMULA = /^[=+\-@\t\r\uff0b\uff0d\uff1d\uff20]/;
const QUOTED = /[",\r\n]/;

function cellOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const harmless = FORMULA.test(text) ? `'${text}` : text;
  return QUOTED.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The fields of a row by their names in the API; those of an object in it as `wager.outcome`. */
const fieldsOf = (row: object): readonly (readonly [name: string, value: unknown])[] =>
  Object.entries(row).flatMap(([name, value]): [string, unknown][] =>
    isObject(value) ? Object.entries(value).map(([inner, each]) => [`${name}.${inner}`, each]) : [[name, value]],
  );

/** Rows as they come from the API, with a column for each field that one of them has. */
export function csvOf(rows: readonly object[]): string {
  const given = rows.map((row) => new Map(fieldsOf(row)));
  const names = [...new Set(given.flatMap((row) => [...row.keys()]))];
  const lines = [names, ...given.map((row) => names.map((name) => row.get(name)))];
  return lines.map((line) => `${line.map(cellOf).join(',')}\r\n`).join('');
}

/** A quoted cell or a plain one, and what ends it. */
const CELL = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|\n|\r|$)/y;

/** The lines of a file, without empty ones; undefined where a quote is wrong. */
export function csvRowsIn(text: string): readonly (readonly string[])[] | undefined {
  const lines: string[][] = [];
  let line: string[] = [];
  const cells = new RegExp(CELL);
  for (let at = text.startsWith('\ufeff') ? 1 : 0; at < text.length; ) {
    cells.lastIndex = at;
    const [whole, quoted, plain = '', end] = cells.exec(text) ?? [];
    if (whole === undefined) return undefined;
    line.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    at += whole.length;
    if (end === ',' && at < text.length) continue;
    if (end === ',') line.push('');
    lines.push(line);
    line = [];
  }
  return lines.filter((cells) => cells.some((cell) => cell !== ''));
}

/** What `csvOf` has written before a formula. */
export const withoutGuard = (text: string): string =>
  text.startsWith("'") && FORMULA.test(text.slice(1)) ? text.slice(1) : text;

/** Gives the browser a file. */
export function saveFile(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/csv' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
