import { Heading } from '../shell/heading.js';

/** In place of what is not there, or belongs to another account: the API tells no difference. */
export function Missing({ what }: { readonly what: string }) {
  return (
    <div class="empty">
      <h2>Not found</h2>
      <p>{what}</p>
      <p>
        <a href="/">Go to the overview</a>
      </p>
    </div>
  );
}

/** The page of an address that has none. */
export function NotFound({ what = 'There is no such page.' }: { readonly what?: string }) {
  return (
    <>
      <Heading text="Not found" />
      <div class="empty">
        <p>{what}</p>
        <p>
          <a href="/">Go to the overview</a>
        </p>
      </div>
    </>
  );
}
