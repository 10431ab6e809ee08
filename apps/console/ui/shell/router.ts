import { signal } from '@preact/signals';

// The address of the page. Links inside the console change it without loading the page anew.

/** Path and query of the address. */
export const address = signal(location.pathname + location.search);

/** How often a link was followed, also to the same page. */
export const visits = signal(0);

let keeping = (url: string): string => url;
/** What every address that the console goes to keeps. */
export const keepIn = (keep: typeof keeping): void => {
  keeping = keep;
};

/** Goes to another address of the console. */
export function route(to: string, { replace = false } = {}): void {
  const url = keeping(to);
  if (replace) history.replaceState(null, '', url);
  else history.pushState(null, '', url);
  address.value = location.pathname + location.search;
  visits.value += 1;
  if (!replace) window.scrollTo(0, 0);
}

/** Where a click leads; undefined when the browser follows the link itself. */
function targetOf(event: MouseEvent): string | undefined {
  const isPlain = event.button === 0 && !(event.ctrlKey || event.metaKey || event.altKey || event.shiftKey);
  const link = event.composedPath().find((node) => node instanceof HTMLAnchorElement);
  if (!isPlain || event.defaultPrevented || link === undefined) return undefined;
  const isOwn = link.origin === location.origin && link.target === '' && !link.hasAttribute('download');
  const isInPage = link.getAttribute('href')?.startsWith('#') ?? true;
  return isOwn && !isInPage ? link.pathname + link.search : undefined;
}

/** A page behind a dialog stays as it is, and the dialog with what was filled in: the link opens a tab of its own. */
const isInDialog = ({ target }: Event): boolean => target instanceof Element && target.closest('dialog') !== null;

/** Follows clicks on links, and the browser's own buttons. */
export function startRouter(): () => void {
  const onClick = (event: MouseEvent) => {
    const target = targetOf(event);
    if (target === undefined) return;
    event.preventDefault();
    if (isInDialog(event)) window.open(target, '_blank', 'noopener');
    else route(target);
  };
  const onMove = () => {
    address.value = location.pathname + location.search;
  };
  document.addEventListener('click', onClick);
  window.addEventListener('popstate', onMove);
  return () => {
    document.removeEventListener('click', onClick);
    window.removeEventListener('popstate', onMove);
  };
}

function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}

const partsOf = (path: string) => path.replace(/\/+$/, '').split('/');

/** The parts of a path that a pattern like `/wagers/:reference` names, decoded; undefined when it does not match. */
export function matchPath(pattern: string, path: string): Readonly<Record<string, string>> | undefined {
  const wanted = partsOf(pattern);
  const given = partsOf(path);
  if (wanted.length !== given.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, want] of wanted.entries()) {
    const part = decoded(given[index] ?? '');
    if (part === undefined) return undefined;
    if (want.startsWith(':') && part !== '') params[want.slice(1)] = part;
    else if (want !== part) return undefined;
  }
  return params;
}
