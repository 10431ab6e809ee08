import type { UserFacts } from './facts.js';
import { invalid, missing, notFound } from './refusals.js';

interface UserName {
  readonly id?: bigint | undefined;
  readonly reference?: string | undefined;
}

/** The user with the given id and reference; both must name the same one. */
export const findUser = (users: readonly UserFacts[], { id, reference }: UserName, field: string) => {
  if (id === undefined && reference === undefined) return missing(`${field}_id`, `${field}_reference`);
  const named = [
    ...(id === undefined ? [] : [users.find((user) => user.id === id)]),
    ...(reference === undefined ? [] : [users.find((user) => user.reference === reference)]),
  ];
  const [first, second] = named;
  if (first === undefined || named.includes(undefined)) return notFound('User');
  if (second !== undefined && second !== first)
    return invalid(`${field}_id and ${field}_reference must name the same user`);
  return first;
};
