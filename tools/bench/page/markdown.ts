export interface Column {
  readonly head: string;
  /** Figures stand to the right. */
  readonly isFigure?: boolean;
}

/** A table, aligned in its source too. */
export function markdownTable(columns: readonly Column[], rows: readonly (readonly string[])[]): string {
  const lines = [columns.map(({ head }) => head), ...rows].map((cells) =>
    cells.map((cell) => cell.replaceAll('|', '\\|')),
  );
  const widths = columns.map((_, index) => Math.max(3, ...lines.map((cells) => cells[index]?.length ?? 0)));
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const [head, ...body] = lines.map((cells) =>
    line(
      widths.map((width, index) => {
        const cell = cells[index] ?? '';
        return columns[index]?.isFigure ? cell.padStart(width) : cell.padEnd(width);
      }),
    ),
  );
  const rule = line(
    widths.map((width, index) => (columns[index]?.isFigure ? `${'-'.repeat(width - 1)}:` : '-'.repeat(width))),
  );
  return [head, rule, ...body].join('\n');
}
