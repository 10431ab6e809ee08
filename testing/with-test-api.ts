import { afterAll, beforeAll } from '@jest/globals';
import { expectBooksToBalance } from './books.js';
import type { TestAccount, TestClient } from './client.js';
import type { TestDatabase } from './databases.js';
import { createTestEnvironment, type TestEnvironment } from './environment.js';
import { mailsInFolder, type ReceivedMail, waitForMail } from './mails.js';
import { startTestApi, startTestWorker, type TestPart } from './parts.js';

/** The API that runs while the tests of one file run. */
export interface TestApi {
  readonly environment: TestEnvironment;
  readonly database: TestDatabase;
  /** Calls the first process. */
  readonly client: TestClient;
  /** One for each process. */
  readonly clients: readonly TestClient[];
  /** The newest mail with this subject to the account, as soon as there are `count` of them. A worker must run. */
  mailTo(account: Pick<TestAccount, 'email'>, subject: string, count?: number): Promise<ReceivedMail>;
}

interface TestApiOptions {
  readonly processes?: number;
  /** Whether the books of all its businesses must balance after the last test. */
  readonly isAudited?: boolean;
  readonly hasWorker?: boolean;
  readonly settings?: Record<string, string>;
}

/** Starts the API before the first test of a file, and closes it after the last one. */
export function withTestApi({
  processes = 1,
  isAudited = false,
  hasWorker = false,
  settings,
}: TestApiOptions = {}): TestApi {
  let environment: TestEnvironment | undefined;
  const apis: TestPart[] = [];
  let worker: { close(): Promise<void> } | undefined;

  beforeAll(async () => {
    environment = await createTestEnvironment();
    while (apis.length < processes) apis.push(await startTestApi(environment, settings));
    if (hasWorker) worker = await startTestWorker(environment, settings);
  });

  afterAll(async () => {
    try {
      await worker?.close();
      await Promise.all(apis.map((api) => api.close()));
      if (isAudited && environment !== undefined) await expectBooksToBalance(environment.database);
    } finally {
      await environment?.close();
    }
  });

  function started<Part>(part: Part | undefined): Part {
    if (part === undefined) throw new Error('the API starts before the first test, not while a test file is loaded');
    return part;
  }

  return {
    get environment() {
      return started(environment);
    },
    get database() {
      return started(environment).database;
    },
    get client() {
      return started(apis[0]).client;
    },
    get clients() {
      return apis.map(({ client }) => client);
    },
    mailTo({ email }, subject, count = 1) {
      const readMails = () => mailsInFolder(`${started(environment).folder}/mail`);
      return waitForMail(readMails, { to: email, subject, count });
    },
  };
}
