import { encode } from 'uqr';

// Loaded only where a code is shown: the page imports it, and it imports nothing of the page.

/** Around the code, as its standard asks. */
const QUIET_MODULES = 4;

export interface QrPath {
  readonly size: number;
  /** Of an SVG path, a square for each dark module. */
  readonly path: string;
}

export function qrPathOf(text: string): QrPath {
  const { data, size } = encode(text, { ecc: 'M', border: QUIET_MODULES });
  const squares = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
  return { size, path: squares.join('') };
}
