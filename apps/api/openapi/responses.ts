import type { CallerRole } from '#accounts/access/caller-role.js';
import { REQUEST_ID_HEADER } from '#http/access-log.js';
import { bodyTooLarge, ERROR_OPERATION_HEADER, httpError, INTERNAL } from '#http/errors.js';
import { STREAM_TYPE } from '#http/event-stream.js';
import { partRefusals } from '#http/file-answer.js';
import { LINES_TYPE, MAX_LINES_BYTES } from '#http/json-lines.js';
import { DEPRECATION_HEADER, SUNSET_HEADER } from '../deprecation.js';
import type { Endpoint, PossibleRefusal } from '../endpoint.js';
import { AS_OF_HEADER } from '../handler.js';
import { acceptsIdempotencyKey, REPLAYED_HEADER } from '../idempotency-key.js';
import { VERSION_HEADER } from '../version.js';
import { malformed, type NamedAnswer, named, refused } from './errors.js';
import { exampleOf } from './examples.js';
import { errorHeader, headerRefs } from './headers.js';
import { type JsonSchema, resolved, type SchemaBook, schemaRef } from './json-schema.js';
import type { Answer, Example, MediaType, Reference } from './types.js';

const JSON_TYPE = 'application/json';
/** Every answer has these. */
export const EVERYWHERE = [REQUEST_ID_HEADER, VERSION_HEADER];
/** Every answer to a request that counts against a limit has these headers. */
export const COUNTED = [...EVERYWHERE, 'RateLimit-Policy', 'RateLimit'];

export const jsonContent = (schema: JsonSchema, more: Omit<MediaType, 'schema'> = {}) => ({
  [JSON_TYPE]: { schema, ...more },
});

/** JSON lines are a text: the schema is that of one line. */
export const linesContent = (schema: JsonSchema, example: unknown): Readonly<Record<string, MediaType>> => ({
  [LINES_TYPE]: {
    schema: { type: 'string', contentMediaType: LINES_TYPE, contentSchema: schema },
    example: `${JSON.stringify(example)}\n`,
  },
});

/** An error like those of the body parser. */
const bodyFault = (status: number, type?: string) => Object.assign(new Error(), { status, type });

const internal: NamedAnswer = { name: 'internal-error', ...INTERNAL };

interface CommonAnswer {
  readonly description: string;
  readonly answers: readonly NamedAnswer[];
  readonly headers?: readonly string[];
}

/** Answers that many endpoints share, word for word. */
const common: Readonly<Record<string, CommonAnswer>> = {
  Unauthorized: {
    description: 'No credentials, or wrong ones.',
    answers: [refused('unauthorized')],
    headers: ['WWW-Authenticate'],
  },
  FactorRequired: {
    description: 'The account asks its operators for a second factor, and the one of the session has none.',
    answers: [refused('second-factor-required')],
  },
  Forbidden: {
    description: 'Only admin accounts may do this, in production with a second factor.',
    answers: [refused('admins-only'), refused('second-factor-required')],
  },
  SuspendedOrFactor: {
    description: 'The account is suspended, or a second factor is missing.',
    answers: [refused('account-suspended'), refused('second-factor-required')],
  },
  ForbiddenOrSuspended: {
    description: 'Only admin accounts may do this, unless they are suspended, in production with a second factor.',
    answers: [refused('admins-only'), refused('account-suspended'), refused('second-factor-required')],
  },
  RoleForbids: {
    description: "The caller's role does not allow this, or a second factor is missing.",
    answers: [refused('role-forbids'), refused('second-factor-required')],
  },
  SuspendedOrRole: {
    description: "The account is suspended, a second factor is missing, or the caller's role does not allow this.",
    answers: [refused('account-suspended'), refused('second-factor-required'), refused('role-forbids')],
  },
  ForbiddenSuspendedOrRole: {
    description:
      'Only admin accounts may do this, unless they are suspended, in production with a second factor, and only with the role for it.',
    answers: [
      refused('admins-only'),
      refused('account-suspended'),
      refused('second-factor-required'),
      refused('role-forbids'),
    ],
  },
  BodyTooLarge: {
    description: 'The body is larger than 256 KiB.',
    answers: [named('too-large', bodyFault(413, 'entity.too.large'))],
  },
  BodyNotJson: {
    description: 'The body is not `application/json`, or written in a way that is not understood.',
    answers: [
      named('not-json', httpError('not-json')),
      named('encoding-unsupported', bodyFault(415, 'encoding.unsupported')),
      named('charset-unsupported', bodyFault(415, 'charset.unsupported')),
    ],
  },
  LinesTooLarge: {
    description: 'The body is larger than 4 MiB.',
    answers: [named('too-large', bodyTooLarge(MAX_LINES_BYTES))],
  },
  BodyNotLines: {
    description: `The body is not \`${LINES_TYPE}\`, or written in a way that is not understood.`,
    answers: [
      named('not-lines', httpError('not-lines')),
      named('encoding-unsupported', bodyFault(415, 'encoding.unsupported')),
      named('charset-unsupported', bodyFault(415, 'charset.unsupported')),
    ],
  },
  KeyReused: {
    description: 'The Idempotency-Key was used with another request.',
    answers: [refused('key-reused')],
  },
  TooManyRequests: {
    description: 'The account, the address or the e-mail address asks too often, or too much is kept for it.',
    answers: [refused('rate-limited')],
    headers: ['Retry-After'],
  },
  InternalError: { description: 'A fault of the service.', answers: [internal] },
  Unavailable: {
    description: 'The database is away, or too much is waiting. Without `Retry-After` it is not known what was done.',
    answers: [refused('database-unavailable'), refused('overloaded'), refused('outcome-unknown')],
    headers: ['Retry-After'],
  },
};

/** HTTP itself refuses any request with it. */
const everywhere = [named('bad-framing', httpError('bad-framing'))];

const partErrors = [...partRefusals.values()].map((code) => named(code, httpError(code)));

/** An answer that is a file, or a part of it. */
const fileOf = (types: Readonly<Record<string, string>>, description: string, ...headers: string[]): Answer => ({
  description,
  headers: headerRefs(...COUNTED, 'Content-Disposition', 'ETag', 'Repr-Digest', ...headers),
  content: Object.fromEntries(
    Object.entries(types).map(([type, example]) => [
      type,
      { schema: { type: 'string', description } as const, example },
    ]),
  ),
});

const textContent = ({ textAnswer }: Endpoint): Readonly<Record<string, MediaType>> =>
  textAnswer === undefined
    ? {}
    : {
        [textAnswer.contentType]: {
          schema: { type: 'string', description: textAnswer.description },
          example: textAnswer.example,
        },
      };

function successOf(endpoint: Endpoint, book: SchemaBook, isKeyed: boolean): Record<string, Answer> {
  const { status, fileTypes, stream } = endpoint;
  if (fileTypes !== undefined) {
    return { [status]: fileOf(fileTypes, 'The file.'), 206: fileOf(fileTypes, 'A part of it.', 'Content-Range') };
  }
  if (stream !== undefined) {
    const { description, example } = stream;
    const schema = { type: 'string', description } as const;
    return {
      [status]: { description, headers: headerRefs(...COUNTED), content: { [STREAM_TYPE]: { schema, example } } },
    };
  }
  const schema = book.ofAnswer(endpoint.answer);
  const example = exampleOf(schema, book.components);
  if (endpoint.lines !== undefined) {
    const description = 'A line for each line of the body.';
    return { [status]: { description, headers: headerRefs(...COUNTED), content: linesContent(schema, example) } };
  }
  return {
    [status]: {
      description:
        (example as { message?: string }).message ??
        resolved(schema, book.components).description ??
        'A page of the list.',
      headers: headerRefs(
        ...COUNTED,
        ...(isKeyed ? [REPLAYED_HEADER] : []),
        ...(mayShowAsOf(endpoint) ? [AS_OF_HEADER] : []),
      ),
      content: { ...jsonContent(schema, { example }), ...textContent(endpoint) },
    },
    ...acceptedOf(endpoint, book),
  };
}

function acceptedOf({ accepted }: Endpoint, book: SchemaBook): Record<string, Answer> {
  if (accepted === undefined) return {};
  const schema = book.ofAnswer(accepted);
  const example = exampleOf(schema, book.components);
  const description = 'A worker goes on with it.';
  return { 202: { description, headers: headerRefs(...COUNTED), content: jsonContent(schema, { example }) } };
}

const shapeOf = ({ status, body }: NamedAnswer): string => {
  if (!('statusCode' in body)) return 'DomainError';
  return status === 401 ? 'UnauthorizedError' : 'ValidationError';
};

function content(answers: readonly NamedAnswer[]) {
  const shapes = [...new Set(answers.map(shapeOf))].map(schemaRef);
  const [only] = shapes;
  const examples = answers.map(({ name, body }): [string, Example] => [name, { value: body }]);
  const schema = shapes.length === 1 && only !== undefined ? only : { anyOf: shapes };
  return jsonContent(schema, { examples: distinct(examples) });
}

/** One refusal may appear with several texts. */
function distinct(examples: readonly (readonly [string, Example])[]): Record<string, Example> {
  const found: Record<string, Example> = {};
  for (const [name, example] of examples) {
    const same = Object.values(found).some(({ value }) => JSON.stringify(value) === JSON.stringify(example.value));
    const number = Object.keys(found).filter((other) => other.replace(/-\d+$/, '') === name).length;
    if (!same) found[number === 0 ? name : `${name}-${number + 1}`] = example;
  }
  return found;
}

export const commonResponses: Readonly<Record<string, Answer>> = Object.fromEntries(
  Object.entries(common).map(([name, { description, answers, headers = [] }]) => [
    name,
    {
      description,
      headers: { ...headerRefs(...COUNTED, ...headers), ...errorHeader(answers.map(({ code }) => code)) },
      content: content(answers),
    },
  ]),
);

const statusOfCommon = (name: string): string => String(common[name]?.answers[0]?.status);

function forbiddenOf(endpoint: Endpoint, leastRole: CallerRole | undefined): readonly string[] {
  const { access, method, endsAccess = false, withoutSecondFactor = false } = endpoint;
  if (access === 'public') return [];
  if (!withoutSecondFactor) return forbiddenWithFactor(endpoint, leastRole);
  // Of one's own access: every role may.
  return method === 'get' || endsAccess ? [] : ['SuspendedOrFactor'];
}

/** A suspended account may read, and so may every role. */
function forbiddenWithFactor(endpoint: Endpoint, leastRole: CallerRole | undefined): readonly string[] {
  const { access, method, refusals = [], endsAccess = false } = endpoint;
  const needsRole = leastRole !== 'viewer';
  if (endsAccess) return [needsRole ? 'RoleForbids' : 'FactorRequired'];
  const isForAdmins = access === 'admin' || refusals.includes('admins-only');
  if (method === 'get') return [isForAdmins ? 'Forbidden' : 'FactorRequired'];
  if (needsRole) return [isForAdmins ? 'ForbiddenSuspendedOrRole' : 'SuspendedOrRole'];
  return [isForAdmins ? 'ForbiddenOrSuspended' : 'SuspendedOrFactor'];
}

function commonOf(endpoint: Endpoint, leastRole: CallerRole | undefined, isKeyed: boolean): readonly string[] {
  const { access, body, lines } = endpoint;
  return [
    ...(access === 'public' ? [] : ['Unauthorized']),
    ...forbiddenOf(endpoint, leastRole),
    ...(body === undefined ? [] : ['BodyTooLarge', 'BodyNotJson']),
    ...(lines === undefined ? [] : ['LinesTooLarge', 'BodyNotLines']),
    ...(isKeyed ? ['KeyReused'] : []),
    'TooManyRequests',
    'InternalError',
    'Unavailable',
  ];
}

const reasons: Readonly<Record<number, string>> = {
  400: 'The request is malformed, or a rule says no.',
  401: 'No credentials, or wrong ones.',
  404: 'Unknown, or it belongs to another account.',
  406: 'The answer is a stream, and the request does not accept one.',
  409: 'It is taken, the state of the user does not allow it, or the first request with the Idempotency-Key is still running.',
  410: 'It was there, and is no more.',
  412: 'The file is another one.',
  416: 'The file ends before the part.',
  429: 'The account asks too often, or has too much that is not done, or that waits.',
};
const BATCH_PATH = '/bets/batch';
const UNAUTHORIZED = 401;
const NOT_KEYED_409 = 'It is taken, or not done.';

/** With the key of its request. */
const isStored = (status: number): boolean => status !== 401 && status !== 429 && status < 500;

const ownRefusalsOf = ({ refusals = [], freshProof }: Endpoint): readonly PossibleRefusal[] =>
  freshProof === undefined ? refusals : [...refusals, 'proof-stale'];

/** The endpoint's own refusals, by status, each with the shared ones of its status. */
function ownRefusals(endpoint: Endpoint, commonNames: readonly string[]): Record<string, Answer> {
  const refusals = ownRefusalsOf(endpoint);
  const isKeyed = acceptsIdempotencyKey(endpoint);
  const all = [
    malformed(endpoint, isKeyed),
    endpoint.params && named('path-encoding', new URIError()),
    (endpoint.body ?? endpoint.lines) && named('body-unreadable', bodyFault(400)),
    // That one stands among the answers that endpoints share.
    ...refusals.filter((refusal) => refusal !== 'admins-only').map(refused),
    ...(isKeyed ? [refused('key-in-use')] : []),
    ...(endpoint.fileTypes === undefined ? [] : partErrors),
    ...(endpoint.stream === undefined ? [] : [named('not-acceptable', httpError('not-acceptable'))]),
  ].filter((one) => one !== undefined);
  const statuses = [...new Set(all.map(({ status }) => status))];
  const shared = commonNames.flatMap((name) => common[name] ?? []);
  const entries = statuses.map((status): [string, Answer] => {
    const joined = shared.filter(({ answers }) => answers[0]?.status === status);
    const own = [...all, ...joined.flatMap(({ answers }) => answers)].filter((one) => one.status === status);
    const codes = [...own, ...everywhere.filter((one) => one.status === status)].map(({ code }) => code);
    const refs = headerRefs(
      ...COUNTED,
      ...joined.flatMap(({ headers = [] }) => headers),
      ...(status === UNAUTHORIZED ? ['WWW-Authenticate'] : []),
      ...(isKeyed && status === 409 ? ['Retry-After'] : []),
      ...(isKeyed && isStored(status) ? [REPLAYED_HEADER] : []),
      ...(endpoint.path === BATCH_PATH ? [ERROR_OPERATION_HEADER] : []),
    );
    const headers = { ...refs, ...errorHeader(codes) };
    const description = (status === 409 && !isKeyed ? NOT_KEYED_409 : reasons[status]) ?? joined[0]?.description ?? '';
    return [String(status), { description, headers, content: content(own) }];
  });
  return Object.fromEntries(entries);
}

/** What a business has and does, but not its credentials. */
const mayShowAsOf = ({ method, tag }: Endpoint): boolean =>
  method === 'get' && ['Users', 'Bets', 'Wagers', 'Transactions'].includes(tag);

export function responsesOf(
  endpoint: Endpoint,
  book: SchemaBook,
  leastRole: CallerRole | undefined,
): Record<string, Answer | Reference> {
  const isKeyed = acceptsIdempotencyKey(endpoint);
  const commonNames = commonOf(endpoint, leastRole, isKeyed);
  const shared = commonNames.map((name) => [statusOfCommon(name), { $ref: `#/components/responses/${name}` }]);
  // JavaScript sorts numeric keys.
  const all = {
    ...successOf(endpoint, book, isKeyed),
    ...Object.fromEntries(shared),
    ...ownRefusals(endpoint, commonNames),
  };
  return endpoint.deprecated === undefined ? all : withDeprecation(all);
}

/** Answers that endpoints share are written out. */
const withDeprecation = (answers: Record<string, Answer | Reference>): Record<string, Answer> =>
  Object.fromEntries(
    Object.entries(answers).map(([status, found]) => {
      const answer = '$ref' in found ? (commonResponses[found.$ref.split('/').at(-1) ?? ''] as Answer) : found;
      return [status, { ...answer, headers: { ...answer.headers, ...headerRefs(DEPRECATION_HEADER, SUNSET_HEADER) } }];
    }),
  );
