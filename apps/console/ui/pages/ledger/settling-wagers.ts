import { api, ofMoment, type Schemas } from '../../api/api.js';

// The list of wagers has no filter for those being settled, so the newest ones are looked through.

const PAGE = 100;
const MOST_PAGES = 3;

export interface SettlingWagers {
  readonly wagers: readonly Schemas['ListedWager'][];
  /** How many of the newest wagers were looked at. */
  readonly looked: number;
  readonly isWhole: boolean;
}

function readPage(cursor: string, account: number | undefined): Promise<Schemas['WagerPage']> {
  const query = {
    ...{ per_page: PAGE, cursor, sort_direction: 'desc' as const },
    ...(account !== undefined && { account_ids: [account] }),
  };
  return api.get('/wagers', { params: { query } });
}

export async function readSettlingWagers(account?: number): Promise<SettlingWagers> {
  const settling: Schemas['ListedWager'][] = [];
  const answers: Schemas['WagerPage'][] = [];
  let looked = 0;
  let cursor: string | undefined = '';
  for (let page = 0; page < MOST_PAGES && cursor !== undefined; page += 1) {
    const answer: Schemas['WagerPage'] = await readPage(cursor, account);
    const { data, next } = answer;
    answers.push(answer);
    looked += data.length;
    settling.push(...data.filter(({ settling_since }) => settling_since !== null));
    cursor = next ?? undefined;
  }
  return ofMoment({ wagers: settling, looked, isWhole: cursor === undefined }, answers);
}
