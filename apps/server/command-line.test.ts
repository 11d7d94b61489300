import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { commandLine } from "./command-line.ts";

test.each([
  ["backup", "npm run backup", "farthing backup"],
  ["brands list", "npm run brands -- list", "farthing brands list"],
  ["payouts approve 7", "npm run payouts -- approve 7", "farthing payouts approve 7"],
])(
  "P6 the command %s is named as it is typed: with npm in a checkout, with farthing where that is installed",
  (words, npm, ours) => {
    expect(commandLine(words, {})).toBe(npm);
    expect(commandLine(words, { FARTHING_ENV_FILE: "/etc/farthing.env" })).toBe(ours);
  },
);

test("P6 no message of the server names a command of operators with npm, which an installation does not have", () => {
  const { scripts } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")) as {
    scripts: Record<string, string>;
  };
  const ofOperators = new Set(Object.keys(scripts).filter((name) => scripts[name]?.includes("apps/server/commands/")));
  const files = globSync("**/*.ts", { cwd: import.meta.dirname }).filter((file) => !/\.(test|testing)\.ts$/.test(file));
  const named = files.flatMap((file) =>
    readFileSync(new URL(file, import.meta.url), "utf8")
      .split("\n")
      .filter((line) => !/^\s*(\/\/|\/?\*)/.test(line))
      .flatMap((line) => [...line.matchAll(/npm run ([\w:-]*\w)/g)].map(([, name = ""]) => name))
      .filter((name) => ofOperators.has(name))
      .map((name) => `${file}: ${name}`),
  );
  expect([files.length > 100, named]).toEqual([true, []]);
});
