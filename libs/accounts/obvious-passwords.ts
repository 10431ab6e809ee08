import { Refusal } from '#platform/errors/refusal.js';

const SERVICE_WORDS = ['betting ledger', 'ledger', 'betting'];
/** A shorter word takes so many other characters that the rest of the password counts. */
const MIN_LETTERS = 6;

/** Letters alone: case, spaces, punctuation, and digits make no word less obvious. */
const lettersOf = (text: string) => text.toLowerCase().replace(/[^\p{L}]/gu, '');

/** The words that a stranger would try first for this account. */
function obviousWords({ name, email }: { readonly name: string; readonly email: string }): Set<string> {
  const [local = '', domain = ''] = email.split('@');
  const texts = [...SERVICE_WORDS, name, email, local, domain, domain.slice(0, domain.lastIndexOf('.'))];
  return new Set(texts.map(lettersOf).filter((word) => word.length >= MIN_LETTERS));
}

/** Refuses a password that is one of the account's obvious words, with or without other characters than letters. */
export function assertNotObvious(password: string, account: { readonly name: string; readonly email: string }): void {
  if (obviousWords(account).has(lettersOf(password))) throw new Refusal('password-obvious');
}
