import path from 'node:path';
import { appointAdmin } from '#accounts/admin-appointment.js';
import { connectDatabase } from '#platform/database/database.js';
import { StartError } from '#platform/errors/start-error.js';
import { runCommand } from './run-command.js';

const VOUCH = '--vouch';

const unprovedText = (email: string, mailFolder: string) =>
  `The e-mail address ${email} is not proved, so it is not known that the account belongs to its owner: an opened link ` +
  `does not say who knows the password. If you have registered it, confirm it with your password and the token in the mail ` +
  `"Confirm your e-mail address" (POST /auth/account/confirm-email); without an SMTP_URL the mail is a file in ` +
  `${mailFolder}. If you have not, do not confirm it: set a new password with forgot-password, which ends the access of ` +
  `the person who did. Or vouch for the account yourself: npm run make-admin -- ${email} ${VOUCH}`;

await runCommand(async ({ databaseUrl, args, print }) => {
  const isVouchedFor = args.includes(VOUCH);
  const [email, ...rest] = args.filter((argument) => argument !== VOUCH);
  if (email === undefined || email.startsWith('-') || rest.length > 0) {
    throw new StartError(`Usage: npm run make-admin -- EMAIL [${VOUCH}]`);
  }
  const database = await connectDatabase({ url: databaseUrl, connections: 2, onConnectionError: () => undefined });
  try {
    const result = await appointAdmin(database, { email, isVouchedFor });
    if (result === 'unknown')
      throw new StartError(`There is no operator with the e-mail ${email} who can log in: register first.`);
    if (result === 'no-owner') throw new StartError(`The operator ${email} is not an owner of its account.`);
    const mailFolder = path.resolve(process.env.DATA_DIR || '.data', 'mail');
    if (result === 'unproved') throw new StartError(unprovedText(email, mailFolder));
    print(`${email} is an admin now. Its access tokens and API keys have ended: log in again.`);
  } finally {
    await database.disconnect();
  }
});
