import { describe, expect, it } from '@jest/globals';
import { ConfigError, readConfig } from './config.js';

const minimal = { DATABASE_URL: 'postgresql://u:p@127.0.0.1/d', REDIS_URL: 'redis://127.0.0.1:6379' };

describe('readConfig', () => {
  it('fills in the documented defaults', () => {
    const config = readConfig(minimal);
    expect(config).toMatchObject({ port: 3000, dashboardPort: 3001, rateLimits: true, accessTokenTtlMs: 86_400_000 });
    expect(config.appUrl).toBe('http://localhost:3000');
    expect(Object.isFrozen(config)).toBe(true);
  });

  it('treats empty variables as unset and strips the slash of APP_URL', () => {
    const config = readConfig({ ...minimal, PORT: '', APP_URL: 'https://bets.example/' });
    expect(config.port).toBe(3000);
    expect(config.appUrl).toBe('https://bets.example');
  });

  it.each([
    [{ DATABASE_URL: undefined }, 'DATABASE_URL is not set'],
    [{ DATABASE_URL: 'mysql://x' }, 'DATABASE_URL must be an address that begins with postgres:// or postgresql://'],
    [{ PORT: 'http' }, 'PORT must be a whole number'],
    [{ ACCESS_TOKEN_TTL: '24' }, 'ACCESS_TOKEN_TTL must be a number with a unit'],
    [{ ACCESS_TOKEN_TTL: '5ms' }, 'ACCESS_TOKEN_TTL must be at least 1s'],
    [{ BCRYPT_COST: '4' }, 'BCRYPT_COST'],
    [{ RATE_LIMITS: 'no' }, 'RATE_LIMITS'],
  ])('refuses %j', (change, text) => {
    const read = () => readConfig({ ...minimal, ...change });
    expect(read).toThrow(ConfigError);
    expect(read).toThrow(text);
  });

  it('names every fault at once', () => {
    expect(() => readConfig({ PORT: 'x' })).toThrow(/PORT.*DATABASE_URL.*REDIS_URL/);
  });
});
