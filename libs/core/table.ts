interface Saved<Row> {
  /** The row as it was when the attempt began; null: the attempt inserted it. */
  readonly row: Row | null;
  /** Whether the ledger had to write it already. */
  readonly wasChanged: boolean;
}

/**
 * The Book's rows of one kind, by key. `inserted` and `updated` are the rows that the ledger has to write. For undoing,
 * the table copies each row at its first change in an attempt, so an undo costs as much as the attempt changed.
 */
export class Table<Key, Row extends object> {
  readonly inserted = new Set<Row>();
  readonly updated = new Set<Row>();
  readonly #rows = new Map<Key, Row>();
  /** Of these rows, those that are not stored: the ledger has to insert them when they change. */
  readonly #unstored = new Set<Row>();
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

  /** Adds a row that is not stored, with the figures that it has without being stored. */
  loadUnstored(row: Row): void {
    if (this.load(row)) this.#unstored.add(row);
  }

  insert(row: Row): void {
    this.#rows.set(this.#keyOf(row), row);
    this.inserted.add(row);
    this.#saved.set(row, { row: null, wasChanged: false });
  }

  /** Hands the inserted rows over to the caller, who must write them. Call it between two attempts. */
  takeInserted(): Row[] {
    const rows = [...this.inserted];
    this.inserted.clear();
    for (const row of rows) this.#unstored.delete(row);
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
    const wasChanged = this.inserted.has(row) || this.updated.has(row);
    this.#saved.set(row, { row: { ...row }, wasChanged });
    if (!wasChanged) (this.#unstored.has(row) ? this.inserted : this.updated).add(row);
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
        if (!saved.wasChanged) {
          this.inserted.delete(row);
          this.updated.delete(row);
        }
        onRestored?.(row);
      }
    }
    this.#saved.clear();
  }
}
