import { StartError } from '#platform/errors/start-error.js';
import { HelpWanted } from '#tools/shared/command-line.js';
import { readOptions } from './options.js';
import { runSimulation } from './run-simulation.js';

// The reader of a pipe closed it.
process.stdout.on('error', () => process.exit(1));

const print = (text: string) => console.log(text);

try {
  const options = readOptions(process.argv.slice(2));
  if (!runSimulation({ options, print })) process.exitCode = 1;
} catch (error) {
  if (error instanceof HelpWanted) {
    print(error.message);
  } else {
    console.error(error instanceof StartError ? `\n${error.message}\n` : error);
    process.exitCode = 1;
  }
}
