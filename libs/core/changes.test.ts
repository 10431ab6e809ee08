import { describe, expect, it } from '@jest/globals';
import { Table } from './changes.js';

interface Row {
  readonly id: number;
  amount: number;
}

const tableWith = ({ stored, unstored }: { stored: Row; unstored: Row }) => {
  const table = new Table<number, Row>(
    ({ id }) => id,
    (row) => ({ ...row }),
  );
  table.load(stored);
  table.loadUnstored(unstored);
  const change = (row: Row) => {
    table.touch(row);
    row.amount += 1;
  };
  const changed = () => ({ inserted: [...table.inserted], updated: [...table.updated] });
  return { table, change, changed };
};

const rows = () => ({ stored: { id: 1, amount: 10 }, unstored: { id: 2, amount: 0 } });

describe('a row that is not stored', () => {
  it('is inserted when it changes, and a stored one is updated', () => {
    const { stored, unstored } = rows();
    const { change, changed } = tableWith({ stored, unstored });
    expect(changed()).toEqual({ inserted: [], updated: [] });
    for (const row of [stored, unstored]) change(row);
    expect(changed()).toEqual({ inserted: [unstored], updated: [stored] });
  });

  it('is not inserted when the attempt that changed it fails', () => {
    const { stored, unstored } = rows();
    const { table, change, changed } = tableWith({ stored, unstored });
    for (const row of [stored, unstored]) change(row);
    table.undo();
    expect(changed()).toEqual({ inserted: [], updated: [] });
    expect([stored, unstored]).toEqual(Object.values(rows()));
  });

  it('is still inserted when a later attempt fails, as the earlier one left it', () => {
    const { stored, unstored } = rows();
    const { table, change, changed } = tableWith({ stored, unstored });
    change(unstored);
    table.confirm();
    for (const row of [stored, unstored]) change(row);
    table.undo();
    expect(changed()).toEqual({ inserted: [{ id: 2, amount: 1 }], updated: [] });
  });

  it('is stored once the ledger has taken it: later changes update it', () => {
    const { stored, unstored } = rows();
    const { table, change, changed } = tableWith({ stored, unstored });
    change(unstored);
    table.confirm();
    expect(table.takeInserted()).toEqual([unstored]);
    change(unstored);
    expect(changed()).toEqual({ inserted: [], updated: [unstored] });
  });

  it('stays as it is when it was loaded before', () => {
    const { stored, unstored } = rows();
    const { table, change, changed } = tableWith({ stored, unstored });
    table.loadUnstored({ id: 1, amount: 0 });
    change(stored);
    expect(changed()).toEqual({ inserted: [], updated: [{ id: 1, amount: 11 }] });
  });
});

describe('an attempt', () => {
  it('that fails leaves no row that it inserted', () => {
    const { table, changed } = tableWith(rows());
    const added = { id: 3, amount: 5 };
    table.insert(added);
    table.touch(added);
    expect([table.get(3), table.before(added)]).toEqual([added, undefined]);
    table.undo();
    expect([table.get(3), changed()]).toEqual([undefined, { inserted: [], updated: [] }]);
  });

  it('that succeeds after one that failed changes the rows from where they were before both', () => {
    const { stored, unstored } = rows();
    const { table, change, changed } = tableWith({ stored, unstored });
    change(stored);
    table.undo();
    change(stored);
    expect(table.before(stored)).toEqual({ id: 1, amount: 10 });
    table.confirm();
    expect(changed()).toEqual({ inserted: [], updated: [{ id: 1, amount: 11 }] });
  });
});
