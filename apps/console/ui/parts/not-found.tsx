import { Heading } from '../shell/heading.js';

/** In place of what is not there, or belongs to another account: the API tells no difference. */
export const Missing = ({ what, isPart = true }: { readonly what: string; readonly isPart?: boolean }) => (
  <div class="empty">
    {isPart && <h2>Not found</h2>}
    <p>{what}</p>
    <p>
      <a href="/">Go to the overview</a>
    </p>
  </div>
);

/** The page of an address that has none. */
export const NotFound = ({ what = 'There is no such page.' }: { readonly what?: string }) => (
  <>
    <Heading text="Not found" />
    <Missing what={what} isPart={false} />
  </>
);
