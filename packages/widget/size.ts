import { budgets, entryBytes } from "./build-entries.ts";

/** Prints what each entry costs a page, beside its budget. The tests fail where `never` is passed. */
for (const { entry, aim, never } of budgets) {
  const bytes = await entryBytes(entry);
  const verdict = bytes <= aim ? "ok" : bytes <= never ? `over the aim of ${aim}` : `TOO BIG, never above ${never}`;
  console.log(`${entry.padEnd(8)} ${String(bytes).padStart(6)} bytes  ${verdict}`);
  if (bytes > never) process.exitCode = 1;
}
