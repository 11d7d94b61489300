import { entryBytes } from "./build-entries.ts";

/**
 * The byte budgets (gzip, stylesheet included, React outside): `aim` is what we hold ourselves to, `never` fails the check. Run in CI.
 */
const budgets = [
  { entry: "react", aim: 5000, never: 6000 },
  { entry: "script", aim: 5500, never: 6500 },
  { entry: "element", aim: 5500, never: 6500 },
  { entry: "frame", aim: 1200, never: 1200 },
];

let failed = false;
for (const { entry, aim, never } of budgets) {
  const bytes = await entryBytes(entry);
  const verdict = bytes <= aim ? "ok" : bytes <= never ? `over the aim of ${aim}` : `TOO BIG, never above ${never}`;
  failed ||= bytes > never;
  console.log(`${entry.padEnd(8)} ${String(bytes).padStart(6)} bytes  ${verdict}`);
}
process.exitCode = failed ? 1 : 0;
