const responses = new WeakMap<object, Response>();

export function noteResponse(answer: unknown, response: Response): void {
  if (typeof answer === 'object' && answer !== null) responses.set(answer, response);
}

const headerOf = (answer: object, name: string): string | undefined =>
  responses.get(answer)?.headers.get(name) ?? undefined;

/** The id by which the service's operators, its events and its logs know the request that a call has answered. */
export const requestIdOf = (answer: object): string | undefined => headerOf(answer, 'X-Request-Id');

/** The cursor of the last event that an answer shows: follow the log from there. Undefined: it shows no exact moment. */
export const ledgerAsOf = (answer: object): string | undefined => headerOf(answer, 'Ledger-As-Of');
