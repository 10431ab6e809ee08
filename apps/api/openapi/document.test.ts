import { describe, expect, it } from '@jest/globals';
import { Validator } from '@seriousme/openapi-schema-validator';
import type { ValidateFunction } from 'ajv';
import type { RejectionCode } from '#core/rejection.js';
import { errorTable } from '#http/error-table.js';
import type { RefusalCode } from '#platform/errors/refusal.js';
import { createAjv, DOCUMENT } from '#testing/documented-client.js';
import { operationsOf } from '#testing/documented-routes.js';
import { routeTable } from '#testing/route-table.js';
import type { Endpoint } from '../endpoint.js';
import { namedEndpoints } from '../endpoints.js';
import { type EndpointName, leastRoleOf } from '../roles.js';
import { createDocument } from './document.js';
import { type JsonSchema, resolved } from './json-schema.js';
import { DOCS_PATH } from './paths.js';
import type { Answer, ApiDocument, ApiOperation, Method, Parameter, Reference } from './types.js';

const document = createDocument();
const closed = createDocument({ answers: 'closed' });
const { components } = document;
const endpoints = Object.entries<Endpoint>(namedEndpoints);
const operations = operationsOf(document);
const operationsOfClosed = operationsOf(closed);

describe('the document', () => {
  it('is valid OpenAPI 3.1', async () => {
    const validator = new Validator();
    const { valid, errors } = await validator.validate(structuredClone(document) as never);
    expect(errors ?? []).toEqual([]);
    expect([valid, validator.version, document.openapi]).toEqual([true, '3.1', '3.1.0']);
  });

  it('refers only to what it holds, and holds nothing that is not referred to', () => {
    const text = JSON.stringify(document);
    const wanted = [...new Set([...text.matchAll(/"(#\/components\/[^"]+)"/g)].map(([, reference]) => reference))];
    const held = Object.entries(components)
      .filter(([kind]) => kind !== 'securitySchemes')
      .flatMap(([kind, named]) => Object.keys(named).map((name) => `#/components/${kind}/${name}`));
    expect(wanted.sort()).toEqual(held.sort());
  });

  it('is the same each time it is made', () => {
    expect(JSON.stringify(createDocument())).toBe(JSON.stringify(document));
  });

  it('names each operation once, after the endpoint', () => {
    const names = operations.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(names).toEqual(expect.arrayContaining(endpoints.map(([name]) => name)));
  });
});

const registeredRoutes = (): string[] =>
  routeTable().map(({ method, path }) => `${method.toUpperCase()} ${path.replace(/:(\w+)/g, '{$1}')}`);

describe('the routes', () => {
  it('are those that the document has', () => {
    const undocumented = [`GET ${DOCS_PATH}/{file}`, 'HEAD /auth/account/verify-email'];
    const registered = [...new Set(registeredRoutes())].filter((route) => !undocumented.includes(route));
    expect(registered.sort()).toEqual(operations.map(({ method, path }) => `${method} ${path}`).sort());
  });
});

describe('the roles', () => {
  const codesOf = ({ responses }: ApiOperation): string => {
    const found = responses[403];
    return JSON.stringify(found && '$ref' in found ? components.responses[found.$ref.split('/').at(-1) ?? ''] : found);
  };

  it.each(endpoints)('%s says its least role, and the refusal of lower ones', (name, { access }) => {
    const { operation } = operations.find((one) => one.name === name) as (typeof operations)[number];
    const least = leastRoleOf(name as EndpointName);
    expect([operation['x-least-role'], least === undefined]).toEqual([least, access === 'public']);
    if (least === undefined) return;
    expect(operation.description).toContain(`Least role: \`${least}\`.`);
    expect((codesOf(operation) ?? '').includes('role-forbids')).toBe(least !== 'viewer');
  });
});

interface Field {
  readonly name: string;
  readonly schema: JsonSchema;
}

/** Every field of a schema at any depth, with references resolved. */
function fieldsOf(name: string, given: JsonSchema, schemas = components.schemas): Field[] {
  const schema = resolved(given, schemas);
  const properties = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>);
  const nested = [
    ...properties.flatMap(([key, property]) => fieldsOf(`${name}.${key}`, property, schemas)),
    ...(schema.items === undefined ? [] : fieldsOf(`${name}[]`, schema.items as JsonSchema, schemas)),
    ...[...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].flatMap((one) => fieldsOf(name, one, schemas)),
  ];
  return [...properties.map(([key, property]) => ({ name: `${name}.${key}`, schema: property })), ...nested];
}

function parametersOf({ parameters = [] }: ApiOperation): Parameter[] {
  const isReference = (parameter: Parameter | Reference): parameter is Reference => '$ref' in parameter;
  return parameters.map((parameter) =>
    isReference(parameter) ? (components.parameters[parameter.$ref.split('/').at(-1) ?? ''] as Parameter) : parameter,
  );
}

const bodyOf = ({ requestBody }: ApiOperation) => requestBody?.content['application/json'];

/** A field has a description of its own, or refers to a component with one. */
function explanationOf(schema: JsonSchema): string {
  const alternatives = [schema, ...(schema.anyOf ?? [])].map((one) => resolved(one, components.schemas));
  return [schema, ...alternatives].find(({ description }) => description !== undefined)?.description ?? '';
}

const hasType = (schema: JsonSchema): boolean =>
  ['type', '$ref', 'anyOf', 'oneOf', 'const', 'enum'].some((keyword) => keyword in schema);

/** The objects in the answers of an operation, at any depth. */
function objectsIn({ responses }: ApiOperation, { components: { schemas } }: ApiDocument): JsonSchema[] {
  const answers = Object.values(responses).flatMap((answer) =>
    '$ref' in answer ? [] : Object.values(answer.content ?? {}),
  );
  return answers.flatMap(({ schema }) =>
    [schema, ...fieldsOf('answer', schema, schemas).map((field) => field.schema)]
      .map((one) => resolved(one, schemas))
      .filter(({ type, properties }) => type === 'object' && properties !== undefined),
  );
}

describe.each(operations)('$name', ({ operation, path, method }) => {
  it('says of every parameter and field of a request what it is and what it is for', () => {
    const body = bodyOf(operation);
    const fields = body === undefined ? [] : fieldsOf('body', body.schema);
    const all = [
      ...parametersOf(operation).map(({ name, description, schema }) => ({ name, schema: { ...schema, description } })),
      ...fields,
    ];
    expect(all.filter(({ schema }) => !hasType(schema)).map(({ name }) => name)).toEqual([]);
    expect(all.filter(({ schema }) => explanationOf(schema).length < 5).map(({ name }) => name)).toEqual([]);
  });

  it('leaves answers open to fields that come later, but not those that tests compare', () => {
    for (const object of objectsIn(operation, document)) expect(object.additionalProperties).not.toBe(false);
    const same = closed.paths[path]?.[method.toLowerCase() as Method] as ApiOperation;
    for (const object of objectsIn(same, closed)) {
      const names = Object.keys(object.properties ?? {});
      const isOpen = names.length === 0 || names.includes('allow_negative_balance');
      expect([object.properties, isOpen || object.additionalProperties]).toEqual([object.properties, isOpen || false]);
    }
  });
});

describe('the refusals', () => {
  // The compiler requires every code here.
  const services: Record<RefusalCode, true> = {
    'email-taken': true,
    'current-password-wrong': true,
    'password-wrong': true,
    'new-passwords-differ': true,
    'passwords-differ': true,
    'password-obvious': true,
    'password-common': true,
    'reset-code-invalid': true,
    'verification-token-invalid': true,
    'admins-only': true,
    'last-admin': true,
    'last-admin-active': true,
    'account-suspended': true,
    'role-forbids': true,
    'password-needed': true,
    'login-code-needed': true,
    'code-needed': true,
    'second-factor-required': true,
    'proof-stale': true,
    'code-wrong': true,
    'second-factor-active': true,
    'second-factor-not-begun': true,
    'second-factor-missing': true,
    'second-factor-off': true,
    'own-factor-with-code': true,
    'own-second-factor-first': true,
    'too-many-api-keys': true,
    'api-key-name-taken': true,
    'api-key-not-found': true,
    'session-not-found': true,
    'account-not-found': true,
    'operator-email-taken': true,
    'operator-not-found': true,
    'operator-invited': true,
    'operator-joined': true,
    'last-owner': true,
    'too-many-operators': true,
    'invitation-invalid': true,
    'too-many-sandboxes': true,
    'sandbox-of-sandbox': true,
    'sandbox-as-admin': true,
    'sandbox-not-found': true,
    'sandbox-deleted': true,
    'not-a-sandbox': true,
    'clock-backward': true,
    'clock-too-far': true,
    'money-begun': true,
    'user-not-found': true,
    'user-reference-taken': true,
    'bet-not-found': true,
    'wager-not-found': true,
    'transaction-not-found': true,
    'event-not-found': true,
    'history-restored': true,
    'too-many-waiting': true,
    'too-many-streams': true,
    'books-too-large': true,
    'book-too-large': true,
    'too-many-trails': true,
    'page-too-deep': true,
    'statement-too-long': true,
    'answer-too-large': true,
    'export-not-found': true,
    'export-not-done': true,
    'export-failed': true,
    'export-expired': true,
    'too-many-exports': true,
    'preview-not-found': true,
    'preview-not-done': true,
    'too-many-previews': true,
    'change-request-not-found': true,
    'own-change-request': true,
    'people-approve': true,
    'other-side-approves': true,
    'not-the-maker': true,
    'change-request-pending': true,
    'change-request-decided': true,
    'change-request-expired': true,
    'wager-changed': true,
    'too-large-to-approve': true,
    'approval-required': true,
    'two-people-needed': true,
    'approvals-need-two': true,
    'webhook-endpoint-not-found': true,
    'too-many-webhook-endpoints': true,
    'webhook-test-failed': true,
    'too-many-webhook-tests': true,
    'webhooks-off': true,
    'meta-too-large': true,
    'key-reused': true,
    'key-in-use': true,
    'rate-limited': true,
    overloaded: true,
    'outcome-unknown': true,
    'database-unavailable': true,
  };
  const core: Record<Exclude<RejectionCode, 'malformed'>, true> = {
    'not-defined': true,
    'user-not-found': true,
    'users-differ': true,
    'allowed-acceptor-not-found': true,
    'wager-not-found': true,
    'wager-decided': true,
    'decision-final': true,
    'wager-suspended': true,
    'wager-closed': true,
    'wager-is-decided': true,
    'bet-not-found': true,
    'bet-not-requesting': true,
    'bet-not-accepted': true,
    'bet-canceled': true,
    'bet-void-due': true,
    'bet-inactive': true,
    'bet-already-active': true,
    'bet-already-inactive': true,
    'other-requester': true,
    'own-offer': true,
    'acceptor-not-allowed': true,
    'odds-above-maximum': true,
    'part-too-small': true,
    'no-matching-offers': true,
    'no-cancelable-bets': true,
    'offer-unfunded': true,
    'acceptance-unfunded': true,
    'withdrawal-unfunded': true,
    'own-reference-taken': true,
    'balance-disputed': true,
    'too-many-decimals': true,
    'winnings-too-large': true,
    'ledger-bound': true,
    'sandbox-full': true,
    'payments-differ': true,
    'operation-ids-repeated': true,
  };
  const text = JSON.stringify(document);

  it.each([...Object.keys(services), ...Object.keys(core)])('%s is somewhere among the examples', (code) => {
    expect(text).toContain(`"${code}":{"value":{`);
  });
});

describe('the codes of refusals', () => {
  type Answered = readonly [name: string, status: string, answer: Answer];
  const answers = operations.flatMap(({ name, operation }) =>
    Object.entries(operation.responses).map(([status, answer]): Answered => {
      const found = '$ref' in answer ? components.responses[answer.$ref.split('/').at(-1) ?? ''] : answer;
      return [name, status, found as Answer];
    }),
  );
  const refused = answers.filter(([name, status]) => Number(status) >= 400 && name !== 'readyz');
  const codesOf = ({ headers: { 'Ledger-Error': header } = {} }: Answer) =>
    header !== undefined && 'schema' in header ? (header.schema.enum as string[]) : [];
  const statusOf = new Map<string, string>(errorTable.map(({ code, status }) => [code, String(status)]));

  it.each(refused)('%s %s: the document says which, each of that status', (_name, status, answer) => {
    expect(codesOf(answer).length).toBeGreaterThan(0);
    for (const code of codesOf(answer)) expect([code, statusOf.get(code)]).toEqual([code, status]);
  });

  it('are all in the document, but for those that HTTP itself gives to any request', () => {
    const documented = new Set(refused.flatMap(([, , answer]) => codesOf(answer)));
    const missing = errorTable.map(({ code }) => code).filter((code) => !documented.has(code));
    expect(missing.sort()).toEqual([
      'expectation-failed',
      'headers-too-large',
      'method-not-allowed',
      'request-timeout',
      'route-not-found',
    ]);
  });

  it('stand on no success', () => {
    const others = answers.filter(([, status]) => Number(status) < 400);
    expect(others.filter(([, , answer]) => codesOf(answer).length > 0)).toEqual([]);
  });
});

describe('the examples', () => {
  const ajv = createAjv(closed);
  /** Many operations share a schema, and compiling one takes longer than checking an example. */
  const compiled = new Map<string, ValidateFunction>();
  const faultsIn = (schema: JsonSchema, example: unknown) => {
    const local = JSON.stringify(schema).replaceAll('"#/', `"${DOCUMENT}#/`);
    const validate = compiled.get(local) ?? ajv.compile(JSON.parse(local));
    compiled.set(local, validate);
    return validate(example) ? [] : [ajv.errorsText(validate.errors)];
  };

  it.each(endpoints)('of %s fit', (name, endpoint) => {
    const operation = operationsOfClosed.find((one) => one.name === name)?.operation as ApiOperation;
    const body = bodyOf(operation);
    if (body !== undefined) {
      expect(endpoint.body?.safeParse(body.example).error).toBeUndefined();
      expect(faultsIn(body.schema, body.example)).toEqual([]);
    }
    for (const { schema, example } of parametersOf(operation)) {
      if (example !== undefined) expect(faultsIn(schema, example)).toEqual([]);
    }
    const answers = Object.values(operation.responses).map((answer) =>
      '$ref' in answer ? (components.responses[answer.$ref.split('/').at(-1) ?? ''] as Answer) : answer,
    );
    for (const { schema, example, examples = {} } of answers.flatMap(({ content = {} }) => Object.values(content))) {
      const shown = [example, ...Object.values(examples).map(({ value }) => value)].filter((one) => one !== undefined);
      expect(shown.length).toBeGreaterThan(0);
      for (const one of shown) expect(faultsIn(schema, one)).toEqual([]);
    }
  });
});
