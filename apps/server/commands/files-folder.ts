import { constants } from "node:fs";
import { access, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** The folder that a command writes its files to. */
export interface FilesFolder {
  /** Returns why no file can be written there and what to do, for whoever typed the command. Null: one can. */
  folderProblem(): Promise<string | null>;
  /** Writes a file that only its owner can read, and returns where it is. */
  write(name: string, text: string): Promise<string>;
}

/** Opens a folder, which is not made: whoever runs the club decides where files with bank details lie. */
export function filesFolder(folder: string): FilesFolder {
  return {
    async folderProblem() {
      try {
        // With the stroke a file is no folder.
        await access(`${folder}/`, constants.W_OK | constants.X_OK);
        return null;
      } catch (error) {
        return `${folder} is not a folder that this account can write to (${whyNot(error)}). Set PAYOUTS_DIR, or run the command in another folder.`;
      }
    },
    async write(name, text) {
      const path = join(folder, name);
      await writeFile(path, text, { mode: 0o600 });
      return path;
    },
  };
}

/** Returns why a file could not be written: the system's code where it has one. */
export function whyNot(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? (error as Error).message;
}
