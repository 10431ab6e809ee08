/** Also for what belongs to another account: the API tells no difference. */
export function NotFound({ what = 'There is no such page.' }: { readonly what?: string }) {
  return (
    <div class="empty">
      <h1>Not found</h1>
      <p>{what}</p>
      <p>
        <a href="/">Go to the overview</a>
      </p>
    </div>
  );
}
