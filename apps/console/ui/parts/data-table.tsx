import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import type { Role } from '../api/first-view-data.js';
import { mayDo } from '../api/session.js';
import { viewedAccount } from '../api/viewed-account.js';
import { Amount, decimalsOf, formatCount } from './amount.js';
import { Time } from './time.js';

interface ColumnTitle {
  readonly title: string;
  /** Of a column of buttons, which say it themselves: only screen readers read it. */
  readonly hidesTitle?: boolean;
  /** What the table is sorted by when its title is pressed. */
  readonly sortedBy?: string;
  /** Of all rows, below them. */
  readonly total?: ComponentChildren;
}
interface TextColumn<Item> extends ColumnTitle {
  readonly text: (item: Item) => ComponentChildren;
}
interface TimeColumn<Item> extends ColumnTitle {
  readonly time: (item: Item) => string | Date | null;
}
interface AmountColumn<Item> extends ColumnTitle {
  /** Shown with the same decimals in all rows; nothing for null. */
  readonly amount: (item: Item) => number | null | undefined;
  /** Those of other columns; the column's own unless given. */
  readonly decimals?: number;
}
interface CountColumn<Item> extends ColumnTitle {
  readonly count: (item: Item) => number | null | undefined;
}
export type Column<Item> = TextColumn<Item> | TimeColumn<Item> | AmountColumn<Item> | CountColumn<Item>;

/** A column of buttons. A label names what its button acts on. A row without a label has no button, and neither has a person whose role is too low. */
export const rowButton = <Item,>(
  title: string,
  labelOf: (item: Item) => string | undefined,
  onClick: (item: Item) => void,
  least: Role = 'viewer',
): Column<Item> => ({
  title,
  hidesTitle: true,
  text(item) {
    const label = mayDo(least) && viewedAccount.value === undefined ? labelOf(item) : undefined;
    return (
      label !== undefined && (
        <button type="button" aria-label={label} onClick={() => onClick(item)}>
          {title}
        </button>
      )
    );
  },
});

export interface Sort {
  readonly by: string;
  readonly isDescending: boolean;
  readonly onSort: (by: string) => void;
}

export interface DataTableProps<Item> {
  /** Read by screen readers, and shown above the table unless `hidesCaption`. */
  readonly caption: string;
  readonly hidesCaption?: boolean;
  readonly columns: readonly Column<Item>[];
  readonly items: readonly Item[];
  readonly keyOf: (item: Item) => string | number;
  /** In place of a table without rows: it says what to do first. */
  readonly empty: ComponentChildren;
  /** The first column names its row. */
  readonly namesRows?: boolean;
  /** What a row has in common with its neighbours: the group has it as a title. */
  readonly groupOf?: ((item: Item) => string) | undefined;
  /** By which column the rows are sorted, of those that can be. */
  readonly sort?: Sort;
}

/** Neighbours of one group; all rows without groups. */
function groupsOf<Item>(items: readonly Item[], groupOf: ((item: Item) => string) | undefined) {
  const groups: { readonly title: string | undefined; readonly items: Item[] }[] = [];
  for (const item of items) {
    const title = groupOf?.(item);
    const last = groups.at(-1);
    if (last !== undefined && last.title === title) last.items.push(item);
    else groups.push({ title, items: [item] });
  }
  return groups;
}

const isNumeric = <Item,>(column: Column<Item>): boolean => 'amount' in column || 'count' in column;

function contentOf<Item>(column: Column<Item>, items: readonly Item[]): (item: Item) => ComponentChildren {
  if ('text' in column) return column.text;
  // Called as a function: a table of a hundred rows needs no hundred components.
  if ('time' in column) {
    return (item) => {
      const at = column.time(item);
      return at && Time({ at });
    };
  }
  if ('count' in column) {
    return (item) => {
      const count = column.count(item);
      return count == null ? null : formatCount(count);
    };
  }
  const decimals = column.decimals ?? decimalsOf(items.map(column.amount).filter((amount) => amount != null));
  return (item) => {
    const amount = column.amount(item);
    return amount == null ? null : Amount({ value: amount, decimals });
  };
}

interface Cell<Item> {
  readonly title: string;
  readonly style: string | undefined;
  readonly content: (item: Item) => ComponentChildren;
}

const cellsOf = <Item,>(item: Item, cells: readonly Cell<Item>[], namesRows: boolean) =>
  cells.map(({ title, style, content }, index) =>
    namesRows && index === 0 ? (
      <th key={title} scope="row" class={style}>
        {content(item)}
      </th>
    ) : (
      <td key={title} class={style}>
        {content(item)}
      </td>
    ),
  );
interface TitleProps {
  readonly column: ColumnTitle;
  readonly style: string | undefined;
  readonly sort: Sort | undefined;
}

function Title({ column: { title, hidesTitle = false, sortedBy }, style, sort }: TitleProps) {
  if (sort === undefined || sortedBy === undefined) {
    return (
      <th scope="col" class={style}>
        {hidesTitle ? <span class="for-readers">{title}</span> : title}
      </th>
    );
  }
  const direction = sort.isDescending ? 'descending' : 'ascending';
  return (
    <th scope="col" class={style} aria-sort={sort.by === sortedBy ? direction : undefined}>
      <button type="button" class="sort" onClick={() => sort.onSort(sortedBy)}>
        {title}
      </button>
    </th>
  );
}

/** The total of the first column names the row. */
function Totals<Item>({ columns: [first, ...others] }: Pick<DataTableProps<Item>, 'columns'>) {
  return (
    <tfoot>
      <tr>
        <th scope="row">{first?.total}</th>
        {others.map((column) => (
          <td key={column.title} class={isNumeric(column) ? 'number' : undefined}>
            {column.total}
          </td>
        ))}
      </tr>
    </tfoot>
  );
}

/** So many rows fill a window. */
const FIRST_ROWS = 30;

/** A long table is painted with its first rows at first: a slow browser takes half a second for two hundred. */
function useRows<Item>(items: readonly Item[]): readonly Item[] {
  const isPainted = useSignal(false);
  useEffect(() => {
    isPainted.value = true;
  }, []);
  return items.length <= FIRST_ROWS || isPainted.value ? items : items.slice(0, FIRST_ROWS);
}

/** A table that scrolls sideways by itself on a narrow page. */
export function DataTable<Item>({
  caption,
  hidesCaption = false,
  columns,
  items,
  keyOf,
  empty,
  namesRows = true,
  groupOf,
  sort,
}: DataTableProps<Item>) {
  const rows = useRows(items);
  if (items.length === 0) return <div class="empty">{empty}</div>;
  const cells = columns.map((column) => ({
    column,
    title: column.title,
    style: isNumeric(column) ? 'number' : undefined,
    content: contentOf(column, items),
  }));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: without it, the keyboard cannot scroll the table
    <section class="scroller" tabIndex={0} aria-label={caption}>
      <table>
        <caption class={hidesCaption ? 'for-readers' : ''}>{caption}</caption>
        <thead>
          <tr>
            {cells.map(({ column, title, style }) => (
              <Title key={title} column={column} style={style} sort={sort} />
            ))}
          </tr>
        </thead>
        {groupsOf(rows, groupOf).map(({ title: group, items: members }) => (
          <tbody key={group}>
            {group !== undefined && (
              <tr class="group">
                <th scope="rowgroup" colSpan={cells.length}>
                  <bdi>{group}</bdi>
                </th>
              </tr>
            )}
            {members.map((item) => (
              <tr key={keyOf(item)}>{cellsOf(item, cells, namesRows)}</tr>
            ))}
          </tbody>
        ))}
        {columns.some(({ total }) => total !== undefined) && <Totals columns={columns} />}
      </table>
    </section>
  );
}
