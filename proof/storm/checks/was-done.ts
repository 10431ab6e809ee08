import { finalAnswer, isSuccess, type Operation, textOf } from '../history.js';

/**
 * Whether the answers acknowledge one effect. Some requests take no key: when an answer was lost, the text of the next
 * answer shows that an earlier try took effect.
 */
export function wasDone(operation: Operation): boolean {
  if (isSuccess(operation)) return true;
  if (operation.key !== undefined || operation.tries.length < 2) return false;
  const text = textOf(finalAnswer(operation)?.body);
  return text === doneBefore[operation.kind];
}

const doneBefore: Partial<Record<Operation['kind'], string>> = {
  register: 'Email is already registered',
  'reset-password': 'Current password is incorrect',
};
