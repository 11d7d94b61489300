import { readVariables } from "./env.ts";

/**
 * Returns a command of ours as it is typed on this machine: `farthing brands list` if bin/farthing has started this process, because a machine
 * that was installed from the archive has no npm; otherwise `npm run brands -- list`.
 * @param words the command and its arguments: "brands list"
 */
export function commandLine(words: string, variables: Readonly<Record<string, string>> = readVariables()): string {
  // bin/farthing alone sets it for every command.
  if (variables["FARTHING_ENV_FILE"] !== undefined) return `farthing ${words}`;
  const [name, ...rest] = words.split(" ");
  return ["npm run", name, ...(rest.length > 0 ? ["--"] : []), ...rest].join(" ");
}
