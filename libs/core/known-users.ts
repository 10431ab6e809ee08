import type { UserIdentifier } from './needs.js';
import type { User } from './records.js';

/** The users that the ledger found by id or reference. A user that was not found does not exist. */
export class KnownUsers {
  readonly #idByReference = new Map<string, bigint>();
  readonly #ids = new Set<bigint>();

  add({ id, reference }: Pick<User, 'id' | 'reference'>): void {
    this.#idByReference.set(reference, id);
    this.#ids.add(id);
  }

  /** Undefined: no such user. `differ`: the id and the reference name two users. Assumes that one of them is given. */
  idOf({ id, reference }: UserIdentifier): bigint | undefined | 'differ' {
    const referencedId = reference === undefined ? undefined : this.#idByReference.get(reference);
    if (id === undefined) return referencedId;
    if (!this.#ids.has(id) || (reference !== undefined && referencedId === undefined)) return undefined;
    return reference === undefined || referencedId === id ? id : 'differ';
  }
}
