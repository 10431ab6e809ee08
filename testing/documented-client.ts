import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { JsonSchema } from '#apps/api/openapi/json-schema.js';
import type { ApiDocument, Answer as DocumentedAnswer } from '#apps/api/openapi/types.js';
import { type Answer, type CallOptions, type Credential, TestClient } from './client.js';
import { type DocumentedOperation, operationsOf, patternOf } from './documented-routes.js';

// Calls the API, and compares every answer with the OpenAPI document: an undocumented operation, status, field, header or
// sentence fails the test.

/** How schemas of the document are named from outside it. */
export const DOCUMENT = 'openapi';

interface Route extends DocumentedOperation {
  readonly pattern: RegExp;
}

interface BareAnswer {
  readonly status: number;
  readonly type: string;
  readonly body: unknown;
}

export interface AnswerCheck {
  /** The statuses that each operation has answered with. */
  readonly seen: ReadonlyMap<string, ReadonlySet<number>>;
  see(method: string, target: string, answer: Answer): void;
  /** What is wrong with an answer of a documented route; undefined: nothing, or the route is none. */
  faultOf(method: string, target: string, answer: BareAnswer): string | undefined;
  /** What is wrong with a value, by a schema of the document; empty: nothing. */
  faultsOfSchema(name: string, value: unknown): readonly string[];
}

const pointer = (...places: readonly string[]) =>
  places.map((place) => encodeURIComponent(place.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/');

/** Paths with fewer placeholders first: `/bets/history` must not match `/bets/{id}`. */
function routesOf(document: ApiDocument): Route[] {
  const placeholders = ({ path }: Route) => path.split('{').length;
  return operationsOf(document)
    .map((documented) => ({ ...documented, pattern: patternOf(documented.path) }))
    .sort((one, other) => placeholders(one) - placeholders(other));
}

/** Headers that must be documented when an answer carries them. */
const HEADERS = [
  'x-request-id',
  'ledger-version',
  'deprecation',
  'sunset',
  'ratelimit',
  'ratelimit-policy',
  'retry-after',
  'idempotent-replayed',
  'www-authenticate',
  'ledger-error-operation',
];

function assertHeaders(name: string, { headers = {} }: DocumentedAnswer, answer: Answer): void {
  const documented = new Set(Object.keys(headers).map((header) => header.toLowerCase()));
  const undocumented = HEADERS.filter((header) => answer.headers.has(header) && !documented.has(header));
  if (undocumented.length > 0) throw new Error(`${name}: undocumented headers ${undocumented}`);
  for (const header of ['x-request-id', 'ledger-version']) {
    if (!answer.headers.has(header)) throw new Error(`${name}: no ${header}`);
  }
}

/** The media type in a Content-Type. */
export const typeOf = (header: string | null | undefined): string => header?.split(';')[0] ?? '';

/** Every refusal names itself with a code that the document has for it. */
function assertCode(name: string, { headers = {} }: DocumentedAnswer, answer: Answer): void {
  const code = answer.headers.get('ledger-error');
  const documented = headers['Ledger-Error'];
  if (code === null && documented === undefined) return;
  const codes = documented !== undefined && 'schema' in documented ? documented.schema.enum : undefined;
  if (!codes?.some((one) => one === code)) throw new Error(`${name}: the code ${code} is not documented`);
}

/** A sentence without its variable parts: numbers and the operation of a batch. */
const sentence = (text: string) => text.replace(/^operation '.*?': /, '').replace(/\d[\d.]*/g, '#');

/** The sentence in an answer. The list of faults in a malformed request is not documented one by one. */
function sentenceOf(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null) return undefined;
  const { message, error } = body as { message?: unknown; error?: unknown };
  if (Array.isArray(message)) return undefined;
  const text = message ?? error;
  return typeof text === 'string' ? sentence(text) : undefined;
}

/** The sentences that the document gives as examples. */
function sentencesIn({ content = {} }: DocumentedAnswer): Set<string | undefined> {
  const media = Object.values(content);
  const bodies = media.flatMap(({ example, examples = {} }) => [
    example,
    ...Object.values(examples).map(({ value }) => value),
  ]);
  const texts = media.flatMap(({ schema }) => {
    const message = (schema.properties as Record<string, JsonSchema> | undefined)?.message;
    return (message?.examples ?? []) as string[];
  });
  return new Set([...bodies.map(sentenceOf), ...texts.map(sentence)]);
}

function assertSentence(name: string, documented: DocumentedAnswer, answer: Answer): void {
  const said = sentenceOf(answer.body);
  if (said === undefined || sentencesIn(documented).has(said)) return;
  throw new Error(`${name}: the sentence "${said}" is not documented`);
}

/** Most schemas check few answers, so they are compiled quickly rather than well. */
export function createAjv(document: ApiDocument): Ajv2020 {
  const ajv = new Ajv2020({ strict: false, allErrors: true, inlineRefs: false, code: { optimize: false } });
  addFormats.default(ajv);
  ajv.addSchema(document, DOCUMENT, false, false);
  return ajv;
}

/** What the document says of routes and shapes. */
function createShapeCheck(document: ApiDocument) {
  const ajv = createAjv(document);
  const routes = routesOf(document);
  const validators = new Map<string, ValidateFunction>();

  function validatorAt(place: string): ValidateFunction {
    const known = validators.get(place);
    if (known !== undefined) return known;
    const made = ajv.compile({ $ref: `${DOCUMENT}#/${place}` });
    validators.set(place, made);
    return made;
  }

  function placeOf({ path, method, operation }: Route, status: number): { place: string; answer: DocumentedAnswer } {
    const answer = operation.responses[status];
    if (answer === undefined) throw new Error(`${operation.operationId}: ${status} is not documented`);
    if (!('$ref' in answer)) {
      return { answer, place: pointer('paths', path, method.toLowerCase(), 'responses', String(status)) };
    }
    const name = answer.$ref.split('/').at(-1) ?? '';
    return {
      answer: document.components.responses[name] as DocumentedAnswer,
      place: pointer('components', 'responses', name),
    };
  }

  /** Throws unless the answer is as documented. */
  function assertShape(route: Route, { status, type, body }: BareAnswer): DocumentedAnswer {
    const name = `${route.operation.operationId} ${status}`;
    const { place, answer } = placeOf(route, status);
    if (answer.content?.[type] === undefined) throw new Error(`${name}: ${type} is not documented`);
    const validate = validatorAt(`${place}/${pointer('content', type, 'schema')}`);
    const isValid: boolean = validate(body);
    if (isValid) return answer;
    throw new Error(`${name}: ${ajv.errorsText(validate.errors)} in ${JSON.stringify(body).slice(0, 2_000)}`);
  }

  const routeOf = (method: string, target: string): Route | undefined => {
    const path = target.split('?')[0] ?? '';
    return routes.find((one) => one.method === method && one.pattern.test(path));
  };
  return { assertShape, routeOf, validatorAt };
}

export function createAnswerCheck(document: ApiDocument): AnswerCheck {
  const { assertShape, routeOf, validatorAt } = createShapeCheck(document);
  const seen = new Map<string, Set<number>>();
  return {
    seen,
    faultOf(method, target, answer) {
      const route = routeOf(method, target);
      if (route === undefined) return undefined;
      try {
        assertShape(route, answer);
        return undefined;
      } catch (error) {
        return (error as Error).message;
      }
    },
    faultsOfSchema(name, value) {
      const validate = validatorAt(pointer('components', 'schemas', name));
      validate(value);
      return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
    },
    see(method, target, answer) {
      const route = routeOf(method, target);
      if (route === undefined) throw new Error(`${method} ${target} is not documented`);
      const name = `${route.operation.operationId} ${answer.status}`;
      const type = typeOf(answer.headers.get('content-type'));
      const documented = assertShape(route, { status: answer.status, type, body: answer.body });
      assertHeaders(name, documented, answer);
      assertCode(name, documented, answer);
      assertSentence(name, documented, answer);
      const { operationId } = route.operation;
      seen.set(operationId, (seen.get(operationId) ?? new Set()).add(answer.status));
    },
  };
}

export class DocumentedClient extends TestClient {
  constructor(
    baseUrl: string,
    readonly check: AnswerCheck,
    credential?: Credential,
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(baseUrl, credential, headers);
  }

  override as(credential: Credential): DocumentedClient {
    return new DocumentedClient(this.baseUrl, this.check, credential, this.headers);
  }

  override with(headers: Readonly<Record<string, string>>): DocumentedClient {
    return new DocumentedClient(this.baseUrl, this.check, this.credential, headers);
  }

  override async call(method: string, path: string, options?: CallOptions): Promise<Answer> {
    const answer = await super.call(method, path, options);
    this.check.see(method, path, answer);
    return answer;
  }
}
