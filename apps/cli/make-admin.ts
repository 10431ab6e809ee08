import { setRoleByEmail } from '#accounts/account-repository.js';
import { openDatabase } from '#platform/database/database.js';
import { StartError } from '#platform/errors/start-error.js';
import { runCommand } from './run-command.js';

await runCommand(async ({ databaseUrl, args, print }) => {
  const [email, ...rest] = args;
  if (email === undefined || rest.length > 0) throw new StartError('Usage: npm run make-admin -- EMAIL');
  const database = openDatabase({ url: databaseUrl, connections: 2, onConnectionError: () => undefined });
  try {
    const found = await setRoleByEmail(database, email, 'admin');
    if (!found) throw new StartError(`There is no account with the e-mail ${email}: register it first.`);
    print(`${email} is an admin now.`);
  } finally {
    await database.$disconnect();
  }
});
