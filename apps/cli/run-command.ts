import { StartError } from '#platform/errors/start-error.js';

export interface CommandContext {
  readonly databaseUrl: string;
  readonly args: readonly string[];
  print(text: string): void;
}

/** Runs a command with its database and arguments; a failure prints one paragraph and sets exit code 1. */
export async function runCommand(command: (context: CommandContext) => Promise<void>): Promise<void> {
  try {
    const databaseUrl = process.env.DATABASE_URL;
    if (!databaseUrl) throw new StartError('DATABASE_URL is not set.');
    await command({ databaseUrl, args: process.argv.slice(2), print: (text) => console.log(text) });
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    process.exitCode = 1;
  }
}
