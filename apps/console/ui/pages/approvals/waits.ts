/** The answer of an operation, which may wait for approval. */
export interface MayWait {
  readonly message: string;
  readonly change_request?: { readonly id: number };
}

/** What is announced when it was sent. */
export const waitsText = ({ message, change_request: request }: MayWait): string =>
  request === undefined ? message : `${message}: change request ${request.id} waits for a second person.`;
