import type { SharedTables } from '#platform/database/database.js';
import type { SealedBox } from '#platform/secrets/sealed-box.js';
import type { OperatorId } from '../operators/operator.js';
import { ownerOf } from './use-code.js';

const AT_ONCE = 1_000;

export interface ResealedFactors {
  readonly resealed: number;
  /** Second factors whose secret needs a key that this process does not have. */
  readonly unreadable: number;
}

interface OlderFactor extends OperatorId {
  readonly secret: string;
}

const findOlder = (tables: SharedTables, { keyId }: SealedBox, after: OperatorId): Promise<OlderFactor[]> =>
  tables.$queryRaw<OlderFactor[]>`
    SELECT account_id AS "accountId", id AS "operatorId", second_factor_secret AS secret FROM operators
     WHERE (account_id, id) > (${after.accountId}, ${after.operatorId}) AND second_factor_secret NOT LIKE ${`${keyId}:%`}
     ORDER BY account_id, id LIMIT ${AT_ONCE}`;

/** False: it needs another key. */
async function reseal(tables: SharedTables, box: SealedBox, { secret: stored, ...id }: OlderFactor): Promise<boolean> {
  const secret = box.open(ownerOf(id), stored);
  if (secret === undefined) return false;
  // A second factor that was begun meanwhile has another secret.
  await tables.$executeRaw`
    UPDATE operators SET second_factor_secret = ${box.seal(ownerOf(id), secret)}
     WHERE account_id = ${id.accountId} AND id = ${id.operatorId} AND second_factor_secret = ${stored}`;
  return true;
}

/** Encrypts with the present key what another key has encrypted, so that the provider can drop the old one. */
export async function resealFactors(tables: SharedTables, box: SealedBox): Promise<ResealedFactors> {
  let [resealed, unreadable] = [0, 0];
  let after: OperatorId | undefined = { accountId: 0n, operatorId: 0n };
  while (after !== undefined) {
    const rows: OlderFactor[] = await findOlder(tables, box, after);
    for (const row of rows) {
      if (await reseal(tables, box, row)) resealed += 1;
      else unreadable += 1;
    }
    after = rows.length < AT_ONCE ? undefined : rows.at(-1);
  }
  return { resealed, unreadable };
}
