import { describe, expect, it } from '@jest/globals';
import { ConfigError, readConfig } from './config.js';

const minimal = { DATABASE_URL: 'postgresql://u:p@127.0.0.1/d', REDIS_URL: 'redis://127.0.0.1:6379' };

const inProduction = (env: Record<string, string>) => () => readConfig({ NODE_ENV: 'production', ...env });

describe('readConfig', () => {
  it('fills in the documented defaults', () => {
    const config = readConfig(minimal);
    expect(config).toMatchObject({ port: 3000, dashboardPort: 3001, rateLimits: true, accessTokenTtlMs: 86_400_000 });
    expect(config.settlementBound).toBe(500);
    expect([config.appUrl, config.consoleUrl]).toEqual(['http://localhost:3000', 'http://localhost:3001']);
    expect(Object.isFrozen(config)).toBe(true);
  });

  it('reads limits, which are generous by default', () => {
    const { requestLimits } = readConfig(minimal);
    expect(requestLimits.account?.requests).toBeGreaterThan(10_000);
    const changed = readConfig({ ...minimal, RATE_LIMITS: 'address=600/m' });
    expect(changed).toMatchObject({
      rateLimits: true,
      requestLimits: { ...requestLimits, address: { requests: 600, windowSeconds: 60 } },
    });
    const lifted = readConfig({ ...minimal, RATE_LIMITS: 'off' });
    expect([lifted.rateLimits, lifted.requestLimits.account, lifted.requestLimits.address]).toEqual([
      false,
      undefined,
      undefined,
    ]);
  });

  it('listens at the address of the database, and reads there, unless others are named', () => {
    expect(readConfig(minimal)).toMatchObject({
      databaseListenUrl: minimal.DATABASE_URL,
      readDatabaseUrl: undefined,
    });
    const [databaseListenUrl, readDatabaseUrl] = ['postgresql://u:p@10.0.0.1/d', 'postgresql://u:p@10.0.0.2/d'];
    const named = { ...minimal, DATABASE_LISTEN_URL: databaseListenUrl, READ_DATABASE_URL: readDatabaseUrl };
    expect(readConfig(named)).toMatchObject({ databaseListenUrl, readDatabaseUrl, databaseUrl: minimal.DATABASE_URL });
  });

  it('treats empty variables as unset and strips the slash of APP_URL', () => {
    const given = { APP_URL: 'https://bets.example/', CONSOLE_URL: 'https://console.bets.example/' };
    const config = readConfig({ ...minimal, PORT: '', ...given });
    expect(config.consoleUrl).toBe('https://console.bets.example');
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
    [{ REDIS_URL: 'http://redis' }, 'REDIS_URL must be an address that begins with redis:// or rediss://'],
    [{ REDIS_URL: 'redis://one,two' }, 'names nodes of a cluster: redis+cluster://[user:password@]host:port,host:port'],
    [{ REDIS_URL: 'redis+cluster://' }, 'REDIS_URL must be'],
    [{ REDIS_URL: 'redis+cluster://one:7000,,two:7000' }, 'REDIS_URL must be'],
    [{ REDIS_URL: 'redis+cluster://one:7000,two:port' }, 'REDIS_URL must be'],
    [{ REDIS_URL: 'redis+cluster://one:7000/1' }, 'REDIS_URL must be'],
    [{ REDIS_PREFIX: 'a:b' }, 'REDIS_PREFIX must consist of letters, digits, _ and -, and may stand in braces'],
    [{ REDIS_PREFIX: '{}' }, 'REDIS_PREFIX must consist'],
    [{ REDIS_PREFIX: '{a}b' }, 'REDIS_PREFIX must consist'],
    [{ RATE_LIMITS: 'no' }, 'RATE_LIMITS must be on, off, or limits such as account=1000/s,address=600/m'],
    [{ RATE_LIMITS: 'account=fast' }, 'RATE_LIMITS must be on, off, or limits'],
    [{ METRICS_TOKEN: 'short' }, 'METRICS_TOKEN must have at least 16 characters'],
    [{ CONSOLE_SECRET: 'short' }, 'CONSOLE_SECRET must have at least 16 characters, and no spaces'],
    [{ CONSOLE_SECRET: 'a secret with spaces' }, 'CONSOLE_SECRET must have'],
    [{ WORKER_METRICS_PORT: '70000' }, 'WORKER_METRICS_PORT'],
    [{ SETTLEMENT_BOUND: '1001' }, 'SETTLEMENT_BOUND'],
    [{ SETTLEMENT_BOUND: '1.5' }, 'SETTLEMENT_BOUND must be a whole number'],
    [{ INSECURE_CONNECTIONS: 'redis,smtp' }, 'must consist of postgresql, redis'],
  ])('refuses %j', (change, text) => {
    const read = () => readConfig({ ...minimal, ...change });
    expect(read).toThrow(ConfigError);
    expect(read).toThrow(text);
  });

  it('trusts the proxies in front of the dashboard, as many as in front of the API unless told otherwise', () => {
    const trusted = (env: Record<string, string>) => readConfig({ ...minimal, ...env }).dashboardTrustedProxies;
    expect([trusted({}), trusted({ TRUST_PROXY: '1' })]).toEqual([0, 1]);
    expect(trusted({ TRUST_PROXY: '1', DASHBOARD_TRUST_PROXY: '0' })).toBe(0);
  });

  it('requires more in production, and names all that is missing', () => {
    const needed = {
      ...minimal,
      SMTP_URL: 'smtps://mail.example',
      APP_URL: 'https://bets.example',
      METRICS_TOKEN: 'a token of the metrics',
    };
    expect(inProduction(needed)()).toMatchObject({
      smtpUrl: 'smtps://mail.example',
      appUrl: 'https://bets.example',
      consoleUrl: undefined,
    });
    expect(inProduction({ SMTP_URL: '' })).toThrow(
      new ConfigError(
        'Configuration: DATABASE_URL is not set; REDIS_URL is not set; ' +
          'SMTP_URL is not set, and production needs it; APP_URL is not set, and production needs it; ' +
          'METRICS_TOKEN is not set, and production needs it.',
      ),
    );
    for (const name of Object.keys(needed)) {
      expect(inProduction({ ...needed, [name]: '' })).toThrow(`Configuration: ${name} is not set`);
    }
    for (const name of ['SMTP_URL', 'APP_URL', 'METRICS_TOKEN']) {
      expect(() => readConfig({ ...needed, [name]: undefined, NODE_ENV: 'development' })).not.toThrow();
    }
  });

  it('names every fault at once', () => {
    expect(() => readConfig({ PORT: 'x' })).toThrow(/PORT.*DATABASE_URL.*REDIS_URL/);
  });
});

describe('connections', () => {
  const production = {
    ...minimal,
    SMTP_URL: 'smtps://mail.example',
    APP_URL: 'https://bets.example',
    METRICS_TOKEN: 'a token of the metrics',
  };

  it.each([
    ['DATABASE_URL', 'postgresql://u:p@db.example/d'],
    ['DATABASE_URL', 'postgresql://u:p@db.example/d?sslmode=require'],
    ['DATABASE_URL', 'postgresql://u:p@db.example/d?sslmode=no-verify'],
    ['DATABASE_URL', 'postgresql://u:p@db.example/d?sslmode=verify-full&sslmode=disable'],
    ['DATABASE_URL', 'postgresql://u:p@203.0.113.5/d'],
    ['DATABASE_URL', 'postgresql://u:p@localhost/d?host=db.example'],
    ['DATABASE_LISTEN_URL', 'postgresql://u:p@db.example/d'],
    ['READ_DATABASE_URL', 'postgresql://u:p@standby.example/d'],
    ['REDIS_URL', 'redis://:p@redis.example:6379'],
    ['REDIS_URL', 'redis://[2001:db8::1]:6379'],
    ['REDIS_URL', 'redis+cluster://:p@10.0.0.1:7000,redis.example:7000'],
    ['REDIS_URL', 'redis+cluster://10.0.0.1:7000,[2001:db8::1]:7000'],
  ])('leave the private networks only with verified TLS in production: %s=%s', (name, address) => {
    const given = { ...production, [name]: address };
    expect(inProduction(given)).toThrow(`Configuration: ${name} leaves the private networks`);
    expect(inProduction(given)).not.toThrow(address);
    expect(inProduction({ ...given, INSECURE_CONNECTIONS: 'redis, postgresql' })).not.toThrow();
    expect(() => readConfig({ ...given, NODE_ENV: 'development' })).not.toThrow();
  });

  it.each([
    ['DATABASE_URL', 'postgresql://u:p@db.example/d?sslmode=verify-full'],
    ['DATABASE_URL', 'postgresql://u:p@postgres:5432/d'],
    ['DATABASE_URL', 'postgresql://u:p@10.1.2.3/d'],
    ['DATABASE_URL', 'postgresql:///d?host=/var/run/postgresql'],
    ['REDIS_URL', 'rediss://redis.example:6379'],
    ['REDIS_URL', 'redis://redis.default.svc.cluster.local:6379'],
    ['REDIS_URL', 'redis://[fd00::1]:6379'],
    ['REDIS_URL', 'redis+cluster://:p@10.0.0.1:7000,redis-2:7000,[fd00::1]:7000'],
    ['REDIS_URL', 'rediss+cluster://u:p@one.example:7000,two.example:7000'],
  ])('are as free in private networks, and with verified TLS: %s=%s', (name, address) => {
    expect(inProduction({ ...production, [name]: address })).not.toThrow();
  });

  it('from the console to the API leave the private networks over TLS alone in production', () => {
    const outside = { ...production, API_URL: 'http://api.example' };
    expect(inProduction(outside)).toThrow('Configuration: API_URL leaves the private networks, so it needs https://.');
    expect(() => readConfig({ ...outside, NODE_ENV: 'development' })).not.toThrow();
    for (const API_URL of ['https://api.example', 'http://api:3000', 'http://10.1.2.3:3000', '']) {
      expect(inProduction({ ...production, API_URL })).not.toThrow();
    }
    expect(readConfig({ ...minimal, PORT: '3100' }).apiUrl).toBe('http://localhost:3100');
  });

  it('of webhooks lead into private networks in development alone', () => {
    const given = { ...production, ALLOW_PRIVATE_WEBHOOKS: 'true' };
    expect(inProduction(given)).toThrow('Configuration: ALLOW_PRIVATE_WEBHOOKS must not be true in production.');
    expect(readConfig({ ...given, NODE_ENV: 'development' }).allowPrivateWebhooks).toBe(true);
    expect(inProduction(production)()).toMatchObject({ allowPrivateWebhooks: false });
  });

  it('to a mail server need TLS, unless it is on this machine', () => {
    const requires = (address: string) => readConfig({ ...minimal, SMTP_URL: address }).smtpRequiresTls;
    const elsewhere = ['smtp://mail.example', 'smtp://mail:25', 'smtp://10.0.0.1', 'smtp://127.0.0.1.example'];
    expect(elsewhere.map(requires)).toEqual([true, true, true, true]);
    const here = ['smtp://localhost', 'smtp://127.0.0.1:1025', 'smtp://127.9.9.9', 'smtp://[::1]:25'];
    expect(here.map(requires)).toEqual([false, false, false, false]);
  });
});
