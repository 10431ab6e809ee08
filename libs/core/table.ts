interface Saved<Row> {
  /** The row as it was when the attempt began; null: the attempt inserted it. */
  readonly row: Row | null;
  readonly wasUpdated: boolean;
}

/**
 * Rows of one kind, held by key, with what has to be written (`inserted`, `updated`) and what the present attempt must
 * be able to take back: a copy of each row at its first change, so undoing costs as much as the attempt changed.
 */
export class Table<Key, Row extends object> {
  readonly inserted = new Set<Row>();
  readonly updated = new Set<Row>();
  readonly #rows = new Map<Key, Row>();
  readonly #saved = new Map<Row, Saved<Row>>();
  readonly #keyOf: (row: Row) => Key;

  constructor(keyOf: (row: Row) => Key) {
    this.#keyOf = keyOf;
  }

  get(key: Key): Row | undefined {
    return this.#rows.get(key);
  }

  values(): Iterable<Row> {
    return this.#rows.values();
  }

  /** A stored row. One that is here already stays: it may have changed since. False then. */
  load(row: Row): boolean {
    const key = this.#keyOf(row);
    if (this.#rows.has(key)) return false;
    this.#rows.set(key, row);
    return true;
  }

  insert(row: Row): void {
    this.#rows.set(this.#keyOf(row), row);
    this.inserted.add(row);
    this.#saved.set(row, { row: null, wasUpdated: false });
  }

  /** What has to be written, once: whoever takes it writes it. Between two attempts. */
  takeInserted(): Row[] {
    const rows = [...this.inserted];
    this.inserted.clear();
    return rows;
  }

  takeUpdated(): Row[] {
    const rows = [...this.updated];
    this.updated.clear();
    return rows;
  }

  /** Must be called before the row is changed. */
  touch(row: Row): void {
    if (this.#saved.has(row)) return;
    this.#saved.set(row, { row: { ...row }, wasUpdated: this.updated.has(row) });
    if (!this.inserted.has(row)) this.updated.add(row);
  }

  /** The rows that the present attempt touched. */
  touched(): Iterable<Row> {
    return this.#saved.keys();
  }

  /** The row as it was when the present attempt began; undefined: it was not there. */
  before(row: Row): Row | undefined {
    const saved = this.#saved.get(row);
    return saved === undefined ? row : (saved.row ?? undefined);
  }

  keep(): void {
    this.#saved.clear();
  }

  /** The latest touched first. */
  undo({ onRemoved, onRestored }: { onRemoved?: (row: Row) => void; onRestored?: (row: Row) => void } = {}): void {
    for (const [row, saved] of [...this.#saved].reverse()) {
      if (saved.row === null) {
        this.#rows.delete(this.#keyOf(row));
        this.inserted.delete(row);
        onRemoved?.(row);
      } else {
        Object.assign(row, saved.row);
        if (!saved.wasUpdated) this.updated.delete(row);
        onRestored?.(row);
      }
    }
    this.#saved.clear();
  }
}
