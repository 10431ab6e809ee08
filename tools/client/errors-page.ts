import { errorTable, type KnownError } from '#http/error-table.js';

// docs/errors.md, made from the table of errors: a part for each answer to "may I send it again?".

const INTRODUCTION = `# Errors

<!-- Made by \`npm run client\` from libs/http: what is changed here is lost. -->

Every refusal has the header \`Ledger-Error\` with one of these codes; a batch of which one operation is refused also
\`Ledger-Error-Operation\` with its \`operation_id\`, percent-encoded. A replay has both of the first answer. Rely on the
code: a text may change, and new codes may come. A refusal without a code comes from a proxy, or from before this header.

The typed client retries 408, 429, 502, 503, 504 and \`key-in-use\` by itself, but not \`webhooks-off\` and
\`second-factor-off\`; its \`LedgerError\` has \`code\` and \`operationId\`.
\`GET /request-log\` lists [your refused calls](api.md#request-log).
`;

const parts: Record<KnownError['retry'], string> = {
  later:
    'Retry later\n\nThis request did nothing. Wait as `Retry-After` says, or a second, and keep the idempotency key.',
  'with its key': 'Retry with its key\n\nIt may have been done. With the same idempotency key it is done once.',
  'after a change':
    'Retry after a change\n\nChange what the advice names, and take another idempotency key: the same one may bring the stored\nrefusal again.',
  no: 'Do not retry\n\nThe same request is refused again, and a corrected one needs another idempotency key.',
};

const rowOf = ({ code, status, text, advice }: KnownError): string =>
  `| \`${code}\` | ${status} | ${text} | ${advice} |\n`;

const partOf = ([retry, title]: [string, string]): string =>
  `\n## ${title}\n\n| code | status | text | what to do |\n| --- | --- | --- | --- |\n` +
  errorTable
    .filter((error) => error.retry === retry)
    .map(rowOf)
    .join('');

export const errorsPage = (): string => INTRODUCTION + Object.entries(parts).map(partOf).join('');
