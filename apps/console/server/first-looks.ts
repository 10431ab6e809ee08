// What each page needs for its first figures: what it asks the API for, as it asks, and the script that it comes in.

interface Look {
  /** `part` is what `:` in the path of the page stands for, encoded. */
  readonly requests: (part: string) => readonly string[];
  /** Of pages that do not come with the first script. */
  readonly script?: string;
}

const today = (): string => new Date().toISOString().slice(0, 'yyyy-mm-dd'.length);

const VIEWS = 'later-views';

/** What every Overview asks the API for. */
const overviewRequests = (): readonly string[] => [
  '/wagers?per_page=1&cursor=',
  '/bets/open-bets?per_page=1',
  `/events/matched-totals?created_after=${today()}`,
  `/reconciliation?date=${today()}`,
  '/wagers?settling=true&per_page=20&sort_direction=desc',
  '/account/health',
  '/events?sort_direction=desc&per_page=10',
];

const looks: Readonly<Record<string, Look>> = {
  '/': { requests: overviewRequests },
  '/wagers': {
    requests: () => [
      '/wagers?closing=true&sort_by=closes_at&sort_direction=asc&per_page=20',
      '/wagers?per_page=50&cursor=&sort_direction=desc',
    ],
  },
  '/wagers/:': { requests: (reference) => [`/wagers/${reference}?depth=1`] },
  '/risk': {
    requests: () => ['/risk/wagers?limit=200&sort_by=worst_case&sort_direction=desc', '/risk/users?sort_by=exposure'],
    script: VIEWS,
  },
  '/bets': { requests: () => ['/bets/history?per_page=50&cursor=&sort_direction=desc&sort_by=created_at'] },
  '/bets/:': {
    requests: (id) => [`/bets/${id}?include_bet_trails_transactions=true`],
    script: 'bet',
  },
  '/users': {
    requests: () => ['/account/user?sort_by=created_at&sort_direction=desc&cursor=&per_page=50'],
  },
  '/users/:': {
    requests: (reference) => [
      `/account/user/${reference}/statement?sort_direction=desc&per_page=1000&cursor=&include=holdings&positions_cursor=&offers_cursor=`,
    ],
  },
  '/events': { requests: () => ['/events?sort_direction=desc&per_page=100'] },
  '/events/:': { requests: (seq) => [`/events/${seq}`], script: 'event' },
  '/approvals': {
    requests: () => ['/auth/account/preferences', '/change-requests?cursor=&per_page=50&state=pending'],
    script: VIEWS,
  },
  '/approvals/:': { requests: (id) => [`/change-requests/${id}`], script: VIEWS },
  '/people': { requests: () => ['/auth/account/preferences', '/operators?per_page=100&cursor='], script: VIEWS },
  '/people/:': { requests: (id) => [`/operators/${id}`], script: VIEWS },
  '/alerts': { requests: () => ['/account/health'], script: VIEWS },
  '/webhooks': { requests: () => ['/webhook-endpoints?per_page=20'], script: VIEWS },
  '/exports': { requests: () => ['/exports?per_page=20&cursor='], script: VIEWS },
  '/reconciliation': {
    requests: () => [`/reconciliation?date=${today()}&include=users&per_page=50`],
    script: VIEWS,
  },
  '/access': {
    requests: () => [
      '/auth/account/api-keys?per_page=50&cursor=',
      '/auth/account/sessions?per_page=20&cursor=',
      '/auth/account/second-factor',
      '/auth/account/preferences',
    ],
    script: VIEWS,
  },
  '/account-events': {
    requests: () => ['/account-events?cursor=&per_page=50&sort_direction=desc'],
    script: VIEWS,
  },
  ...Object.fromEntries(
    ['/display', '/get-started', '/import', '/tenants', '/tenants/:', '/webhooks/:'].map((path) => [
      path,
      { requests: () => [], script: VIEWS },
    ]),
  ),
};

/** As the script of the page encodes it; undefined: the address is malformed. */
function encodedOnce(part: string): string | undefined {
  try {
    return encodeURIComponent(decodeURIComponent(part));
  } catch {
    return undefined;
  }
}

function lookAt(path: string): (Look & { readonly part: string }) | undefined {
  const own = looks[path];
  if (own !== undefined) return { ...own, part: '' };
  const [, page, part = '', ...others] = path.split('/');
  const of = looks[`/${page}/:`];
  const encoded = encodedOnce(part);
  return of === undefined || part === '' || encoded === undefined || others.length > 0
    ? undefined
    : { ...of, part: encoded };
}

/** The paths of the API that the page at this path asks for first, while its address has no filters. */
export function firstRequestsOf(path: string): readonly string[] {
  const look = lookAt(path);
  return look === undefined ? [] : look.requests(look.part);
}

/** The script that the page at this path comes in later than the first one. */
export const laterScriptOf = (path: string): string | undefined => lookAt(path)?.script;
