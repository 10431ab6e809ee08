import type { Book } from './book.js';
import type { UserIdentifier } from './needs.js';
import type { User } from './records.js';
import { Rejection, reject } from './rejection.js';

/** The API's fields are `<field>_id` and `<field>_reference`; refusal texts name them. */
export type UserField = 'user' | 'requesting_user' | 'accepting_user';

const isGiven = ({ id, reference }: UserIdentifier): boolean => id !== undefined || reference !== undefined;

const findUserId = (book: Book, identifier: UserIdentifier, field: UserField): bigint | Rejection => {
  if (!isGiven(identifier)) return reject('not-defined', `${field}_id`, `${field}_reference`);
  const id = book.userIdOf(identifier);
  if (id === undefined) return reject('user-not-found');
  return id === 'differ' ? reject('users-differ', field) : id;
};

/** The acting user, with its balance and exposure. */
export const findUser = (book: Book, identifier: UserIdentifier, field: UserField): User | Rejection => {
  const id = findUserId(book, identifier, field);
  return id instanceof Rejection ? id : book.user(id);
};

/** The user to whose offers an acceptance is restricted; its money is not loaded. Null: any user. */
export const findRequesterId = (book: Book, identifier: UserIdentifier | null): bigint | null | Rejection =>
  identifier === null || !isGiven(identifier) ? null : findUserId(book, identifier, 'requesting_user');
