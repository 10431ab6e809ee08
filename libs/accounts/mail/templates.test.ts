import { describe, expect, it } from '@jest/globals';
import { mailContents } from './templates.js';

const LINK = 'https://ledger.example/verify?token=a&next="<b>"';
const ESCAPED = 'https://ledger.example/verify?token=a&amp;next=&quot;&lt;b&gt;&quot;';

const contents = [
  ...[mailContents['verification-mail'](LINK), mailContents['verification-mail'](LINK, LINK)],
  ...[mailContents['password-reset-mail']('123456'), mailContents['password-reset-mail']('123456', LINK)],
  mailContents['invitation-mail']({ token: 'token', route: LINK, page: undefined }),
  mailContents['invitation-mail']({ token: 'token', route: LINK, page: LINK }),
  ...[mailContents['password-changed-mail'](), mailContents['api-key-created-mail']()],
  ...[mailContents['second-factor-added-mail'](), mailContents['second-factor-removed-mail']()],
  ...[
    mailContents['webhook-address-mail'],
    mailContents['webhook-failing-mail'],
    mailContents['webhook-disabled-mail'],
  ].map((compose) => compose('we_1')),
];

describe('a mail', () => {
  it.each(contents)('$subject: is plain ASCII, which needs no decoding, and of one line in its subject', (content) => {
    for (const part of Object.values(content)) expect(part).toMatch(/^[\x20-\x7e\n]+$/);
    expect(content.subject).not.toContain('\n');
  });

  it.each(contents)('$subject: says the same as text and as HTML', ({ text, html }) => {
    const body = html.slice(html.indexOf('<body>'), html.indexOf('</body>'));
    const plain = body
      .replace(/<[^>]*>/g, '')
      .replaceAll('&quot;', '"')
      .replaceAll('&lt;', '<');
    expect(plain.replaceAll('&gt;', '>').replaceAll('&amp;', '&').match(/\S+/g)).toEqual(text.match(/\S+/g));
  });

  it('has its links escaped, so that nothing of them becomes HTML', () => {
    const { html, text } = mailContents['verification-mail'](LINK);
    expect(html).toContain(`<a href="${ESCAPED}">${ESCAPED}</a>`);
    expect(html).not.toContain('<b>');
    expect(text).toContain(LINK);
  });
});
