import { beforeEach, describe, expect, it } from '@jest/globals';
import type { OutboxTopic } from '#jobs/outbox.js';
import { codeOf, linkTokenOf, type OpenAccount, useAccounts } from '#testing/accounts-fixture.js';
import { inventAccount } from '#testing/client.js';
import { createMailWork } from './mail-work.js';
import { mailContents } from './templates.js';

const accounts = useAccounts();
let account: OpenAccount;

beforeEach(async () => {
  account = await accounts.register({ ...inventAccount(), name: '<b>Call 555-0100 now</b>' });
});

async function addEntry(topic: OutboxTopic, payload = {}, accountId = account.id): Promise<void> {
  await accounts.query('INSERT INTO outbox (account_id, topic, payload) VALUES ($1, $2, $3)', [
    accountId,
    topic,
    JSON.stringify(payload),
  ]);
}

const isDone = async ({ id }: Pick<OpenAccount, 'id'>) => {
  const rows = await accounts.query('SELECT done_at FROM outbox WHERE account_id = $1', [id]);
  return rows.map(({ done_at }) => done_at !== null);
};

describe('the work on a mail', () => {
  it('sends it to the account, is done then, and is not done again', async () => {
    const mail = await accounts.sendMail(account, 'verification-mail');
    const [entry] = await accounts.query('SELECT id FROM outbox WHERE account_id = $1', [account.id]);
    expect(mail).toMatchObject({ to: account.email, id: `verification-mail-${entry?.id}` });
    expect(await isDone(account)).toEqual([true]);
    expect(await accounts.sendMail(account, 'verification-mail')).toBeUndefined();
  });

  it('is not done when the mail cannot be sent', async () => {
    const mailer = { send: () => Promise.reject(new Error('no server')), close: () => undefined };
    const work = createMailWork({ ...accounts.context, mailer, appUrl: 'http://ledger.test' });
    const [entry] = await accounts.query('SELECT id FROM outbox WHERE account_id = $1', [account.id]);
    await expect(work({ accountId: account.id, id: BigInt(String(entry?.id)) })).rejects.toThrow('no server');
    expect(await isDone(account)).toEqual([false]);
  });

  it.each(['password-reset-mail', 'invitation-mail'] as const)(
    'gives each try of a mail whose secret is replaced another Message-ID: %s',
    async (topic) => {
      if (topic === 'invitation-mail') {
        const { email } = inventAccount();
        const [person] = await accounts.query(
          `INSERT INTO operators (account_id, name, email, role, state) VALUES ($1, 'Ann', $2, 'viewer', 'invited') RETURNING id`,
          [account.id, email],
        );
        await addEntry(topic, { operatorId: String(person?.id) });
      } else await addEntry(topic, { operatorId: String(account.operatorId) });
      const first = await accounts.sendMail(account, topic);
      // The process was killed before it noted that the mail is sent.
      await accounts.query('UPDATE outbox SET done_at = NULL WHERE account_id = $1', [account.id]);
      const second = await accounts.sendMail(account, topic);
      expect(second?.text).not.toBe(first?.text);
      expect(second?.id).not.toBe(first?.id);
      for (const mail of [first, second]) expect(mail?.id).toMatch(new RegExp(`^${topic}-\\d+-[\\w-]+$`));
    },
  );

  it('is done without a mail for an account that does not exist', async () => {
    await addEntry('password-reset-mail', {}, 0n);
    expect(await accounts.sendMail({ id: 0n }, 'password-reset-mail')).toBeUndefined();
    expect(await isDone({ id: 0n })).toEqual([true]);
  });

  it.each([
    ['webhook-address-mail', 'has been made, or sends to another address now'],
    ['webhook-failing-mail', 'has not taken an event for a day'],
    ['webhook-disabled-mail', 'has been disabled, because it does not take events'],
  ] as const)('names the webhook endpoint by its id alone: %s', async (topic, text) => {
    await addEntry(topic, { endpointId: '17' });
    expect((await accounts.sendMail(account, topic))?.text).toContain(
      `the webhook endpoint 17 of your account ${text}`,
    );
  });
});

const INVITATION = { token: '7.x', route: 'http://a.test/?b=1&c=2', page: undefined };

describe('a mail', () => {
  const all = [
    mailContents['verification-mail']('http://a.test/?b=1&c=2', 'http://console.test/"x"'),
    mailContents['verification-mail']('http://a.test/?b=1&c=2'),
    mailContents['password-reset-mail']('12345678', 'http://console.test'),
    mailContents['password-reset-mail']('12345678'),
    mailContents['invitation-mail'](INVITATION),
    mailContents['invitation-mail']({ ...INVITATION, page: 'http://console.test/"x"' }),
    mailContents['password-changed-mail'](),
    mailContents['second-factor-added-mail'](),
    mailContents['second-factor-removed-mail'](),
    mailContents['api-key-created-mail'](),
    mailContents['webhook-address-mail']('17'),
    mailContents['webhook-failing-mail']('17'),
    mailContents['webhook-disabled-mail']('17'),
  ];

  it('is plain ASCII, and says the same in both forms', () => {
    for (const { text, html, subject } of all) {
      expect(`${text}${html}${subject}`).toMatch(/^[\n\x20-\x7e]*$/);
      for (const paragraph of text.trim().split('\n\n')) {
        const escaped = paragraph.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
        expect(html).toContain(`>${escaped}<`);
      }
    }
  });

  it('holds no text of the account, in which a stranger could write to the owner of the address', async () => {
    const ids = { operatorId: String(account.operatorId) };
    await addEntry('password-changed-mail', ids);
    await addEntry('api-key-created-mail');
    await addEntry('password-reset-mail', ids);
    for (const topic of ['verification-mail', 'password-changed-mail', 'api-key-created-mail', 'password-reset-mail']) {
      const mail = await accounts.sendMail(account, topic as OutboxTopic);
      expect(mail?.text.length).toBeGreaterThan(50);
      expect(`${mail?.text}${mail?.html}${mail?.subject}`).not.toContain('555-0100');
    }
  });

  it('offers the page of the console first, when there is one', async () => {
    const token = linkTokenOf(await accounts.sendMail(account, 'verification-mail'));
    expect(token).toMatch(new RegExp(`^${account.id}\\.[\\w-]{43}$`));
    const [withPage, without] = all;
    expect(withPage?.text.indexOf('http://console.test')).toBeLessThan(withPage?.text.indexOf('http://a.test') ?? 0);
    expect(without?.text).toContain('by opening this link within 24 hours');
    expect(codeOf(all[2] as never)).toBe('12345678');
    expect(all[2]?.text).toContain('It is valid for 10 minutes');
  });

  it('tells the owner of a changed password what to do about API keys and webhook endpoints', () => {
    expect(mailContents['password-changed-mail']().text).toContain(
      'API keys and webhook endpoints that were not ended with it go on: if this was not you, end them as well.',
    );
  });
});
