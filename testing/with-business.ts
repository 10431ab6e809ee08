import { beforeAll, beforeEach } from '@jest/globals';
import { openTestBusiness, type TestBusiness, type Users } from './test-business.js';
import type { TestApi } from './with-test-api.js';

function opening(api: Pick<TestApi, 'client'>, users: Users) {
  const business = {} as TestBusiness;
  const open = async () => {
    Object.assign(business, await openTestBusiness(api.client, users));
  };
  return { business, open };
}

/** A business for all tests of a file. */
export function withBusiness(api: Pick<TestApi, 'client'>, users: Users = {}): TestBusiness {
  const { business, open } = opening(api, users);
  beforeAll(open);
  return business;
}

/** A new business before each test. */
export function withFreshBusiness(api: Pick<TestApi, 'client'>, users: Users = {}): TestBusiness {
  const { business, open } = opening(api, users);
  beforeEach(open);
  return business;
}
