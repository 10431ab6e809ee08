import { api, LedgerError, type Schemas } from '../../api/api.js';
import { textOf } from '../../api/outages.js';
import { patiently } from '../../api/pauses.js';
import { formatAmount, readAmount, readOdds } from '../../parts/amount.js';
import {
  doneRow,
  type ImportKind,
  type ImportRow,
  metaOf,
  type OnProgress,
  portionsOf,
  type RowResult,
  refusedRow,
} from './rows.js';

/** Of one batch, which is done as a whole. */
const ROWS_AT_ONCE = 20;
/** Of one read. */
const NAMES_AT_ONCE = 100;
const MICROS = 1_000_000;

interface Offer {
  readonly requesting_user_reference: string;
  readonly wager_reference: string;
  readonly requesting_odds: number;
  readonly requesting_amount: number;
}

const offerOf = ({ sent }: ImportRow): Offer => sent as unknown as Offer;

function readRow(cells: Readonly<Record<string, string>>): Omit<ImportRow, 'row'> {
  const { user = '', wager = '', odds = '', amount = '', expires_at: end } = cells;
  const [readOddsOf, readAmountOf] = [readOdds(odds), readAmount(amount)];
  const meta = metaOf(cells);
  const faults = [
    user === '' && 'user should not be empty',
    wager === '' && 'wager should not be empty',
    'fault' in readOddsOf && `odds ${readOddsOf.fault}`,
    'value' in readOddsOf && readOddsOf.value < 1 && 'odds must not be less than 1',
    'fault' in readAmountOf && `amount ${readAmountOf.fault}`,
    'value' in readAmountOf && readAmountOf.value <= 0 && 'amount must be more than 0',
    end !== undefined &&
      !(Date.parse(end) > Date.now()) &&
      'expires_at must be a time to come, like 2027-01-31T18:00:00Z',
  ].filter((fault) => fault !== false);
  return {
    label: `${user} on ${wager}`,
    sent: {
      requesting_user_reference: user,
      wager_reference: wager,
      requesting_odds: 'value' in readOddsOf ? readOddsOf.value : 0,
      requesting_amount: 'value' in readAmountOf ? readAmountOf.value : 0,
      ...(end !== undefined && { expires_at: end }),
      ...(meta && { meta }),
    },
    fault: faults.join('; ') || undefined,
  };
}

/** What the named ones are, by their names. */
async function readNamed<Found extends { readonly reference: string }>(
  names: readonly string[],
  read: (names: string[]) => Promise<readonly Found[]>,
): Promise<ReadonlyMap<string, Found>> {
  const found = new Map<string, Found>();
  for (const portion of portionsOf([...new Set(names)], NAMES_AT_ONCE)) {
    for (const each of await patiently(() => read([...portion]))) found.set(each.reference, each);
  }
  return found;
}

const readUsers = (names: string[]) =>
  api
    .get('/account/user', { params: { query: { user_reference: names, per_page: NAMES_AT_ONCE, cursor: '' } } })
    .then(({ data }) => data.items);

const readWagers = (names: string[]) =>
  api
    .get('/wagers', { params: { query: { wager_reference: names, per_page: NAMES_AT_ONCE, cursor: '' } } })
    .then(({ data }) => data);

/** What is left to each user for offers, in whole millionths. */
class Purses {
  readonly #left = new Map<string, number>();

  constructor(private readonly isNegativeAllowed: boolean) {}

  /** Undefined: the user can afford it, and it is taken. */
  take({ reference, balance, exposure, preferences }: Schemas['User'], amount: number): string | undefined {
    if (preferences?.allow_negative_balance ?? this.isNegativeAllowed) return undefined;
    const left = this.#left.get(reference) ?? Math.round((balance - exposure) * MICROS);
    const after = left - Math.round(amount * MICROS);
    if (after < 0) return `not enough money: ${formatAmount(left / MICROS)} left for it`;
    this.#left.set(reference, after);
    return undefined;
  }
}

async function check(rows: readonly ImportRow[], onProgress: OnProgress): Promise<readonly RowResult[]> {
  const offers = rows.map(offerOf);
  const { data: preferences } = await api.get('/auth/account/preferences');
  const users = await readNamed(
    offers.map(({ requesting_user_reference: name }) => name),
    readUsers,
  );
  const wagers = await readNamed(
    offers.map(({ wager_reference: name }) => name),
    readWagers,
  );
  const purses = new Purses(preferences.allow_negative_balance === true);
  const results = rows.map((row) => {
    const { requesting_user_reference, wager_reference, requesting_amount } = offerOf(row);
    const user = users.get(requesting_user_reference);
    const wager = wagers.get(wager_reference);
    if (user === undefined) return refusedRow(row, 'User not found');
    if (user.balance_state !== 'agreed') return refusedRow(row, 'The balance of the user is disputed');
    if (wager !== undefined && wager.outcome !== 'undecided') return refusedRow(row, 'The wager is decided');
    if (wager !== undefined && wager.status !== 'open') return refusedRow(row, `The wager is ${wager.status}`);
    const lack = purses.take(user, requesting_amount);
    if (lack !== undefined) return refusedRow(row, lack);
    return doneRow(row, wager === undefined ? 'would be made, and creates its wager' : 'would be made');
  });
  onProgress(rows.length);
  return results;
}

const BASIS = 0x81_1c_9d_c5;
const PRIME = 0x01_00_01_93;
const SEEDS = [BASIS, 0x12_34_56_78, 0x9e_37_79_b9];

/** Of a text, by FNV-1a: the same batch has the same key, so the same file again makes no offer twice. */
function hashOf(text: string): string {
  const hashes = SEEDS.map((seed) => {
    let hash = seed;
    for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), PRIME);
    return (hash >>> 0).toString(16);
  });
  return [...hashes, text.length].join('-');
}

/** The row of a batch that an error names. */
function rowAt(error: unknown, rows: readonly ImportRow[]): ImportRow | undefined {
  if (!(error instanceof LedgerError)) return undefined;
  const [, index] = /^operations\[(\d+)\]/.exec(error.texts[0] ?? '') ?? [];
  return index === undefined ? rows.find(({ row }) => String(row) === error.operationId) : rows[Number(index)];
}

/** All of a batch or none: what is refused is left out, and the others are sent again. */
async function postBatch(rows: readonly ImportRow[]): Promise<readonly RowResult[]> {
  const refusedRows: RowResult[] = [];
  let left = rows;
  while (left.length > 0) {
    const operations = left.map((row) => ({
      operation_type: 'make_bet_offer' as const,
      operation_id: String(row.row),
      data: offerOf(row),
    }));
    const idempotencyKey = `import-${hashOf(JSON.stringify(operations))}`;
    try {
      await patiently(() => api.post('/bets/batch', { idempotencyKey, body: { operations } }));
      return [...refusedRows, ...left.map((row) => doneRow(row, 'made'))];
    } catch (error) {
      const named = rowAt(error, left);
      const faulty = named === undefined ? left : [named];
      refusedRows.push(...faulty.map((row) => refusedRow(row, textOf(error))));
      left = left.filter((row) => !faulty.includes(row));
    }
  }
  return refusedRows;
}

async function run(rows: readonly ImportRow[], onProgress: OnProgress): Promise<readonly RowResult[]> {
  const results: RowResult[] = [];
  for (const portion of portionsOf(rows, ROWS_AT_ONCE)) {
    results.push(...(await postBatch(portion)));
    onProgress(results.length);
  }
  return results;
}

export const offerRows: ImportKind = {
  title: 'Offers',
  hint: 'An offer on a new wager creates it. The same file again makes no offer twice for a day.',
  columns: ['user', 'wager', 'odds', 'amount', 'expires_at'],
  required: ['user', 'wager', 'odds', 'amount'],
  readRow,
  check,
  run,
};
