const responses = new WeakMap<object, Response>();

export function noteResponse(answer: unknown, response: Response): void {
  if (typeof answer === 'object' && answer !== null) responses.set(answer, response);
}

/** The id by which the service's operators, its events and its logs know the request that a call has answered. */
export const requestIdOf = (answer: object): string | undefined =>
  responses.get(answer)?.headers.get('X-Request-Id') ?? undefined;
