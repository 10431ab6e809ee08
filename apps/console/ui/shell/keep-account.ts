import { options } from 'preact';
import { viewedAccount } from '../api/viewed-account.js';
import type { Page } from './page.js';
import { keepIn, matchPath } from './router.js';

/** An address of the console, and not of the API behind it. */
const OF_PAGES = /^\/(?!api\/)/;

/** The address with the account that the page looks into, where it leads to a page that can show it. */
function kept(url: string, pages: readonly Page[]): string {
  const account = viewedAccount.peek();
  if (account === undefined || !OF_PAGES.test(url)) return url;
  const { pathname, searchParams } = new URL(url, location.origin);
  const page = pages.find(({ path }) => matchPath(path, pathname) !== undefined);
  if (page === undefined || page.isOwn || page.isForAdmins || searchParams.has('account')) return url;
  searchParams.set('account', String(account));
  return `${pathname}?${searchParams}`;
}

/** Makes all links and all moves of the console keep the account that an admin looks into. */
export function keepAccount(pages: readonly Page[]): void {
  keepIn((url) => kept(url, pages));
  const { vnode: before } = options;
  options.vnode = (vnode) => {
    const props = vnode.props as { href?: unknown };
    if (vnode.type === 'a' && typeof props.href === 'string') props.href = kept(props.href, pages);
    before?.(vnode);
  };
}
