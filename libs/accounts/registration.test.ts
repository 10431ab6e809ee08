import { describe, expect, it } from '@jest/globals';
import { refusalOf, useAccounts } from '#testing/accounts-fixture.js';
import { inventAccount } from '#testing/client.js';

const accounts = useAccounts();

describe('registering an account', () => {
  it('writes the account, its event and its mail', async () => {
    const account = await accounts.register();
    const { id, name, email } = account;
    expect(await accounts.rowOf(account)).toMatchObject({
      name,
      email,
      role: 'business',
      status: 'active',
      registered_from: '192.0.2.0/24',
      email_verified_at: null,
      email_proved_at: null,
    });
    const owner = {
      type: 'account',
      account_id: Number(id),
      api_key_id: null,
      operator_id: Number(account.operatorId),
      name,
    };
    expect(await accounts.eventsOf(account)).toEqual([
      {
        type: 'registered',
        actor: owner,
        address: '192.0.2.1',
        before: null,
        after: { name, email },
        request_id: 'request',
      },
    ]);
    expect(await accounts.mailsOf(account)).toEqual(['verification-mail']);
  });

  it('stores no password, only its bcrypt hash', async () => {
    const account = await accounts.register();
    const [row = {}] = await accounts.query('SELECT * FROM operators WHERE account_id = $1', [account.id]);
    expect(row.password_hash).toMatch(/^\$2b\$04\$/);
    expect(JSON.stringify(row, (_, value) => String(value))).not.toContain(account.password);
  });

  it('refuses a taken e-mail in upper or lower case, and writes nothing', async () => {
    const account = await accounts.register();
    const again = { ...inventAccount(), email: account.email.toUpperCase() };
    const before = await accounts.query('SELECT max(id) FROM outbox');
    expect(await refusalOf(accounts.register(again))).toBe('email-taken');
    expect(await accounts.query('SELECT max(id) FROM outbox')).toEqual(before);
    expect(await accounts.rowOf(account)).toMatchObject({ name: account.name, email: account.email });
  });

  it('lets exactly one of many parallel registrations of an e-mail win', async () => {
    const account = inventAccount();
    const refusals = await Promise.all(Array.from({ length: 8 }, () => refusalOf(accounts.register(account))));
    expect(refusals.sort()).toEqual([...Array(7).fill('email-taken'), undefined]);
  });
});

describe('an obvious password', () => {
  const corner = { name: 'Corner Gamblers & Sons', email: 'owner-of-bets@corner-bets.example' };

  it.each([
    ['the e-mail address', 'owner-of-bets@corner-bets.example'],
    ['its name', 'Owner of Bets 2026'],
    ['its domain', 'CORNER-BETS!'],
    ['its domain with its ending', 'corner.bets.example'],
    ['the name of the business', 'corner gamblers & sons 1'],
    ['the name of the service', 'BettingLedger1'],
    ['a word of the service', '__ledger__'],
  ])('is refused: %s', async (_case, password) => {
    expect(await refusalOf(accounts.register({ ...corner, password }))).toBe('password-obvious');
    expect(await accounts.query('SELECT 1 FROM accounts WHERE email = $1', [corner.email])).toEqual([]);
  });

  it.each([
    ['another word beside it', 'the corner gamblers & sons'],
    ['a part of a word', 'corner 1234'],
    ['no letters at all', '48151627'],
  ])('is none with %s', async (_case, password) => {
    await accounts.register({ ...inventAccount(), name: corner.name, password });
  });

  it('is none when the word is so short that the rest counts', async () => {
    await accounts.register({ ...inventAccount(), name: 'Bets', password: 'bets 4815' });
  });
});

describe('a common password', () => {
  it.each([
    ['one of the most used', 'password'],
    ['one of the last of the list', 'dimazarya'],
    ['in another case', 'TrustNo1'],
    ['with punctuation after it', 'trustno1!'],
    ['with digits and punctuation around it', '!!Sunshine2026?'],
    ['digits alone', '1234567890'],
    ['digits backward', '87654321'],
    ['a row of the keyboard backward', 'poiuytrewq'],
    ['one character again and again', 'aaaaaaaa'],
    ['a year twice', '19841984'],
    ['a date', '01012009'],
    ['a date that begins with its year', '19841231'],
  ])('is refused: %s', async (_case, password) => {
    const account = { ...inventAccount(), password };
    expect(await refusalOf(accounts.register(account))).toBe('password-common');
    expect(await accounts.query('SELECT 1 FROM accounts WHERE email = $1', [account.email])).toEqual([]);
  });

  it('is refused before anything tells whether the e-mail is taken', async () => {
    const account = { ...(await accounts.register()), name: 'Corner Bets', password: 'password' };
    expect(await refusalOf(accounts.register(account))).toBe('password-common');
  });

  it.each([
    ['in the middle of another', 'my sunshine and rain'],
    ['that is shorter, with others', 'dragon 48151623'],
    ['twice, but long', 'sunshine in sunshine in '],
    ['apart', 'pass word'],
    ['beside its neighbour in the list', 'baseball","abc123'],
  ])('is none when there is one %s', async (_case, password) => {
    await accounts.register({ ...inventAccount(), password });
  });

  it.each(['correct horse', 'battery staple'])('is none of those that the documents use: %s', async (password) => {
    await accounts.register({ ...inventAccount(), password });
  });
});
