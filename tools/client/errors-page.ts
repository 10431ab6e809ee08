import { errorTable, type KnownError } from '#http/error-table.js';

// docs/errors.md, made from the table of errors.

const INTRODUCTION = `# Errors

<!-- Made by \`npm run client\` from libs/http: what is changed here is lost. -->

Every refusal has the header \`Ledger-Error\` with one of these codes; a batch of which one operation is refused also
\`Ledger-Error-Operation\` with its \`operation_id\`, percent-encoded. A replay has both of the first answer. Rely on the
code: a text may change, and new codes may come. A refusal without a code comes from a proxy, or from before this header.

**Retry**, with the same request:

- *no*: it is refused again.
- *after a change* of what the advice names, with another idempotency key: the same one brings the stored refusal again.
- *later*: nothing was done. Wait as \`Retry-After\` says, or a second, and keep the key.
- *with its key*: it may have been done. With the same idempotency key it is done once.

The typed client retries 408, 429, 503 and \`key-in-use\` by itself; its \`LedgerError\` has \`code\` and \`operationId\`.
\`GET /request-log\` lists [your refused calls](api.md#request-log).

| code | status | text | what to do | retry |
| --- | --- | --- | --- | --- |
`;

const rowOf = ({ code, status, text, advice, retry }: KnownError): string =>
  `| \`${code}\` | ${status} | ${text} | ${advice} | ${retry} |\n`;

export const errorsPage = (): string => INTRODUCTION + errorTable.map(rowOf).join('');
