/** The cursors of a page of a list; none where there is no such page. */
export interface Cursors {
  readonly next?: string | null | undefined;
  readonly previous?: string | null | undefined;
}

export interface PagerProps {
  readonly page: Cursors;
  readonly onMove: (cursor: string) => void;
}

function Button({
  text,
  cursor,
  onMove,
}: { text: string; cursor: string | null | undefined } & Pick<PagerProps, 'onMove'>) {
  const move = () => {
    if (cursor != null) onMove(cursor);
  };
  return (
    <button type="button" disabled={cursor == null} onClick={move}>
      {text}
    </button>
  );
}

/** Leads through a list by its cursors; nothing for a list of one page. */
export function Pager({ page: { next, previous }, onMove }: PagerProps) {
  if (next == null && previous == null) return null;
  return (
    <nav class="pager" aria-label="Pages of the list">
      <Button text="Previous" cursor={previous} onMove={onMove} />
      <Button text="Next" cursor={next} onMove={onMove} />
    </nav>
  );
}
