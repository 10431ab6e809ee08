import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
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

/** No password is shorter; and a shorter word within one leaves characters that count. */
const MIN_COMMON = 8;
/** No common password is longer: beyond this, one that only repeats is somebody's choice, however poor. */
const MAX_COMMON = 24;
// The list leaves out what follows a pattern: runs of these rows, forward or back, repetitions of a few characters, and dates.
const ROWS = ['01234567890', 'abcdefghijklmnopqrstuvwxyz', 'qwertyuiop', 'asdfghjkl', 'zxcvbnm'];
const RUNS = ROWS.flatMap((row) => [row, [...row].reverse().join('')]);
const REPETITION = /^(.{1,4})\1+$/;
const DATE = /^(?:[0-3]\d[0-3]\d(?:19|20)\d\d|(?:19|20)\d\d[0-3]\d[0-3]\d)$/;

let list: string | undefined;

/** Passwords of breaches in lower case, as the JSON text of the package: a search takes 0.2 ms, to parse them would take 30. */
const breachedPasswords = () =>
  (list ??= readFileSync(
    createRequire(import.meta.url).resolve('@zxcvbn-ts/language-common/src/passwords.json'),
    'latin1',
  ));

const isCommon = (text: string) =>
  text.length >= MIN_COMMON &&
  text.length <= MAX_COMMON &&
  (REPETITION.test(text) ||
    DATE.test(text) ||
    RUNS.some((run) => run.includes(text)) ||
    breachedPasswords().includes(JSON.stringify(text)));

const PUNCTUATION_AROUND = /^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu;
const OTHERS_AROUND_LETTERS = /^[^\p{L}]+|[^\p{L}]+$/gu;

/** Refuses a common or breached password, in any case, also with punctuation or digits before and after it. */
export function assertNotCommon(password: string): void {
  const text = password.toLowerCase();
  const texts = [text, text.replace(PUNCTUATION_AROUND, ''), text.replace(OTHERS_AROUND_LETTERS, '')];
  if (texts.some(isCommon)) throw new Refusal('password-common');
}
