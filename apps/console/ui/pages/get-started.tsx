import { session } from '../api/session.js';
import { Copyable } from '../parts/copyable.js';
import { Heading } from '../shell/heading.js';

const HEADERS = `-H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json'`;

/** The five calls of the README, as this person makes them. An e-mail may have quotes, which a shell would end at. */
function callsOf(api: string, email: string): readonly (readonly [label: string, text: string])[] {
  const credentials = JSON.stringify({ email, password: 'YOUR PASSWORD' }).replaceAll("'", String.raw`'\''`);
  return [
    [
      'Log in; every further call sends the token',
      `TOKEN=$(curl -s ${api}/auth/login/account -H 'Content-Type: application/json' \\
  -d '${credentials}' \\
  | sed 's/.*"token":"\\([^"]*\\)".*/\\1/')`,
    ],
    [
      'Create two bettors',
      `for NAME in ann bob; do
  curl -s ${api}/account/user \\
    ${HEADERS} \\
    -d "{\\"name\\": \\"$NAME\\", \\"reference\\": \\"$NAME\\"}"
done`,
    ],
    [
      'Give them money',
      `for NAME in ann bob; do
  curl -s ${api}/transactions/fund-user \\
    ${HEADERS} \\
    -d "{\\"user_reference\\": \\"$NAME\\", \\"amount\\": 100}"
done`,
    ],
    [
      'Ann offers 10 at odds 2.5 on the home win',
      `curl -s ${api}/bets/make-offer \\
  ${HEADERS} \\
  -d '{"wager_reference": "home-win", "requesting_odds": 2.5,
       "requesting_amount": 10, "requesting_user_reference": "ann"}'`,
    ],
    [
      'Bob accepts it: the first bet is matched',
      `curl -s ${api}/bets/accept-offer \\
  ${HEADERS} \\
  -d '{"wager_reference": "home-win", "maximum_odds": 3,
       "accepting_amount": 10, "accepting_user_reference": "bob"}'`,
    ],
  ];
}

export function GetStartedPage() {
  const { apiUrl = '', operator } = session.value ?? {};
  return (
    <>
      <Heading text="Get started" />
      <p>
        The first bet, in five calls. Paste them into a terminal, one after the other, with your password in the first
        one. You see the result here at once: the <a href="/users">users</a>, the <a href="/wagers/home-win">wager</a>,
        and every <a href="/events">event</a>.
      </p>
      <ol class="steps">
        {callsOf(apiUrl, operator?.email ?? '').map(([label, text]) => (
          <li key={label}>
            <Copyable label={label} text={text} />
          </li>
        ))}
      </ol>
      <p>
        The console calls the same API. Its reference, with a form to try each call, is at{' '}
        <a href={`${apiUrl}/docs`} target="_blank" rel="noreferrer">
          {apiUrl}/docs
        </a>
        . Servers use an <a href="/access">API key</a> in place of the token. For money, send an{' '}
        <code>Idempotency-Key</code>: a call that is repeated with the same one is done once.
      </p>
    </>
  );
}
