import { readFileSync } from "node:fs";
import { inRoot } from "./root.mjs";
import { Trouble } from "./step.mjs";

/**
 * @typedef {object} OperatorCommand
 * @property {string} name as after `npm run` and `farthing`
 * @property {string} file what it runs, from the root
 * @property {string} does what it does, in one line
 */

/** What a script of package.json looks like that operators run: one file of the server's commands. */
const COMMAND = /^exec node bin\/run\.mjs (apps\/server\/commands\/[\w-]+\.ts)$/;
/** A row of the table of commands in CONTRIBUTING.md. */
const ROW = /^\| `npm run ([\w:-]+)` +\| (.+?) +\|$/gm;

/**
 * Returns the commands for those who run an installation, in the order of package.json: all of its scripts that run a file in apps/server/commands,
 * each with its line from CONTRIBUTING.md.
 * @param {Record<string, string>} [scripts] of package.json
 * @param {string} [guide] text of CONTRIBUTING.md
 * @returns {OperatorCommand[]}
 * @throws Trouble for a command that the table lacks
 */
export function operatorCommands(
  scripts = JSON.parse(readFileSync(inRoot("package.json"), "utf8")).scripts,
  guide = readFileSync(inRoot("CONTRIBUTING.md"), "utf8"),
) {
  const lines = new Map([...guide.matchAll(ROW)].map(([, name = "", text = ""]) => [name, plain(text)]));
  return Object.entries(scripts).flatMap(([name, script]) => {
    const file = COMMAND.exec(script)?.[1];
    if (file === undefined) return [];
    const does = lines.get(name);
    if (does === undefined)
      throw new Trouble(`CONTRIBUTING.md has no line for npm run ${name}: add one to its table of commands.`);
    return [{ name, file, does }];
  });
}

/** Returns Markdown without its links in brackets and its marks. @param {string} text */
function plain(text) {
  return text
    .replaceAll(/ \((?:\[[^\]]*\]\([^)]*\)(?:, )?)+\)/g, "")
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replaceAll("`", "");
}

/** Returns the file that `bin/farthing` reads: a line for each command, with its name, file and sentence, separated by tabs. */
export const commandList = () =>
  operatorCommands()
    .map(({ name, file, does }) => `${name}\t${file}\t${does}\n`)
    .join("");
