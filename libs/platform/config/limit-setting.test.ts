import { describe, expect, it } from '@jest/globals';
import { readLimitSetting, usualRegistrationLimit } from './limit-setting.js';

const usual = readLimitSetting('on')?.requests;

describe('the setting of limits', () => {
  it('is generous when on, and lifts everything when off', () => {
    expect(usual?.account?.requests).toBeGreaterThan(usual?.address?.requests ?? 0);
    expect(readLimitSetting('off')).toEqual({
      tries: false,
      registration: undefined,
      requests: { account: undefined, address: undefined },
    });
  });

  it.each([
    ['account=1000/s', { ...usual, account: { requests: 1000, windowSeconds: 1 } }],
    ['address=600/m', { ...usual, address: { requests: 600, windowSeconds: 60 } }],
    [
      'account=20000/10s, address=1/h',
      { account: { requests: 20_000, windowSeconds: 10 }, address: { requests: 1, windowSeconds: 3_600 } },
    ],
    ['account=off,address=5/2m', { account: undefined, address: { requests: 5, windowSeconds: 120 } }],
  ])('replaces the usual limits by %s, and leaves the others', (text, requests) => {
    expect(readLimitSetting(text)).toEqual({ tries: true, registration: usualRegistrationLimit, requests });
  });

  it.each([
    ['registration=10/m', { requests: 10, windowSeconds: 60 }],
    ['registration=off', undefined],
  ])('sets the limit of registrations by %s', (text, expected) => {
    expect(readLimitSetting(text)).toEqual({ tries: true, registration: expected, requests: usual });
  });

  it.each([
    'no',
    'ON',
    'account',
    'account=',
    'account=0/s',
    'account=-1/s',
    'account=1.5/s',
    'account=10',
    'account=10/d',
    'account=10/0s',
    'account=10/25h',
    'account=10/s,account=20/s',
    'account=10/s,',
    'account=10/s;address=10/s',
    'user=10/s',
    'on,account=10/s',
  ])('does not guess what %s may mean', (text) => {
    expect(readLimitSetting(text)).toBeUndefined();
  });
});
