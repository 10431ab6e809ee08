import type { Resource } from '../api/resource.js';
import { DataTable, type DataTableProps } from './data-table.js';
import { type CsvOfList, DownloadCsv } from './download-csv.js';
import { Filters, type FiltersProps, moveTo } from './filters.js';
import { SavedViews } from './later-views.js';
import { AsOf, Loaded } from './loaded.js';
import { type Cursors, Pager } from './pager.js';

type Page<Item> = Cursors & { readonly data: readonly Item[] };

export interface PagedTableProps<Item> extends Omit<DataTableProps<Item>, 'items'> {
  readonly of: Resource<Page<Item>> & { readonly onMove: (cursor: string) => void };
  /** All of the list, to download. */
  readonly csv?: CsvOfList;
}

/** A page of a list, with the way to its other pages below. */
export function PagedTable<Item>({ of, csv, ...table }: PagedTableProps<Item>) {
  return (
    <Loaded of={of}>
      {({ data, next, previous }) => (
        <>
          {csv !== undefined && data.length > 0 && (
            <div class="actions">
              <DownloadCsv {...csv} />
            </div>
          )}
          <DataTable {...table} items={data} />
          <Pager page={{ next, previous }} onMove={of.onMove} />
        </>
      )}
    </Loaded>
  );
}

interface FilteredTableProps<Item> extends Omit<PagedTableProps<Item>, 'of'>, FiltersProps {
  readonly of: Resource<Page<Item>>;
}

/** A page of a list, whose filters and place stand in the address. */
export function FilteredTable<Item>({ path, query, filters, of, ...table }: FilteredTableProps<Item>) {
  return (
    <>
      <Filters path={path} query={query} filters={filters} />
      <SavedViews path={path} query={query} />
      <AsOf of={of} />
      <PagedTable {...table} of={{ ...of, onMove: moveTo(path, query) }} />
    </>
  );
}
