import type { Resource } from '../api/resource.js';
import { DataTable, type DataTableProps } from './data-table.js';
import { type CsvOfList, DownloadCsv } from './download-csv.js';
import { Filters, type FiltersProps, moveTo } from './filters.js';
import { SavedViews } from './later-saved-views.js';
import { AsOf, Loaded } from './loaded.js';
import { type Cursors, Pager } from './pager.js';

type Page<Item> = Cursors & { readonly data: readonly Item[] };

export interface PagedTableProps<Item> extends Omit<DataTableProps<Item>, 'items'> {
  readonly of: Resource<Page<Item>> & { readonly onMove: (cursor: string) => void };
  /** All of the list, to download. */
  readonly csv?: CsvOfList | undefined;
}

function Csv<Item>({ csv, of: { body } }: Pick<PagedTableProps<Item>, 'csv'> & { readonly of: Resource<Page<Item>> }) {
  return csv === undefined || body === undefined || body.data.length === 0 ? null : <DownloadCsv {...csv} />;
}

/** A page of a list, with the way to its other pages below. */
export function PagedTable<Item>({ of, csv, ...table }: PagedTableProps<Item>) {
  return (
    <Loaded of={of}>
      {({ data, next, previous }) => (
        <>
          {csv !== undefined && (
            <div class="actions">
              <Csv csv={csv} of={of} />
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
export function FilteredTable<Item>({ path, query, filters, of, csv, ...table }: FilteredTableProps<Item>) {
  return (
    <>
      <Filters path={path} query={query} filters={filters} />
      <div class="list-tools">
        <AsOf of={of} />
        <Csv csv={csv} of={of} />
        <SavedViews path={path} query={query} />
      </div>
      <PagedTable {...table} of={{ ...of, onMove: moveTo(path, query) }} />
    </>
  );
}
