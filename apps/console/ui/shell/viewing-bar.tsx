import { textOf } from '../api/outages.js';
import { useResource } from '../api/resource.js';
import { viewedAccount } from '../api/viewed-account.js';
import { useKeys } from '../parts/keys.js';
import { route } from './router.js';

const KEY = 'x';

function Viewing({ account }: { readonly account: number }) {
  const { body, error } = useResource(
    ({ get }) => get('/admin/accounts/{id}', { params: { path: { id: account } } }),
    [account],
  );
  const leave = () => route(`/tenants/${account}`);
  useKeys((key) => {
    if (key === KEY) leave();
    return key === KEY;
  });
  return (
    <section class="viewing" aria-label="Another account">
      <p>
        Viewing <strong>{body === undefined ? `account ${account}` : <bdi>{body.data.name}</bdi>}</strong>
        {body === undefined && error !== undefined && ` (${textOf(error)})`}: the account is told of what you read.
      </p>
      <button type="button" aria-keyshortcuts={KEY} onClick={leave}>
        Leave <kbd>{KEY}</kbd>
      </button>
    </section>
  );
}

/** Says on every page whose ledger an admin looks into. */
export function ViewingBar() {
  const account = viewedAccount.value;
  return account === undefined ? null : <Viewing key={account} account={account} />;
}
