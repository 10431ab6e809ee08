interface Saved<Row> {
  /** The row as it was when the attempt began; null: the attempt inserted it. */
  readonly row: Row | null;
  readonly wasUpdated: boolean;
}

/**
 * The Book's rows of one kind, by key. `inserted` and `updated` are the rows that the ledger has to write. For undoing,
 * the table copies each row at its first change in an attempt, so an undo costs as much as the attempt changed.
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

  /** Adds a stored row. False: it was loaded before, and stays as it is, because it may have changed since. */
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

  /** Hands the inserted rows over to the caller, who must write them. Call it between two attempts. */
  takeInserted(): Row[] {
    const rows = [...this.inserted];
    this.inserted.clear();
    return rows;
  }

  /** As `takeInserted`. */
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

  /** Ends the attempt: its changes stay. */
  confirm(): void {
    this.#saved.clear();
  }

  /** Restores all rows of the attempt, the latest touched first. */
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
