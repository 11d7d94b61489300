import { ConfigurationError, type Config } from "../env.ts";
import { openServerDatabase, type ServerDatabase } from "./open-database.ts";
import type { Closing } from "./shutdown.ts";
import { StartError } from "./start-error.ts";

/**
 * Runs a command with the words behind its name, and sets the exit code of the process: what `run` returns, or 1 after an error that says what to do.
 * Of such an error the message is printed, of every other one the stack.
 * @param known the command's own errors of this kind
 */
export async function runCommand(
  run: (words: string[]) => Promise<number | void>,
  ...known: (new (...args: never[]) => Error)[]
): Promise<void> {
  try {
    const code = await run(process.argv.slice(2));
    if (typeof code === "number") process.exitCode = code;
  } catch (error) {
    if (!(error instanceof Error && [ConfigurationError, StartError, ...known].some((kind) => error instanceof kind)))
      throw error;
    console.error(error.message);
    process.exitCode = 1;
  }
}

/**
 * Does a command's work in the database, and closes afterwards what was opened for it, also where the database can't be used.
 * @param tell told what happens to the database
 * @throws StartError as openServerDatabase
 */
export async function withDatabase<T>(
  config: Config,
  work: (database: ServerDatabase, closing: Closing[]) => Promise<T>,
  tell: (line: string) => void = (line) => console.error(line),
): Promise<T> {
  const closing: Closing[] = [];
  try {
    return await work(await openServerDatabase(config, tell, closing), closing);
  } finally {
    for (const part of closing.reverse()) await part.close();
  }
}
