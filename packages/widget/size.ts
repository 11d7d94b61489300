import { budgets, entryBytes } from "./build-entries.ts";

/** Prints the size of each entry beside its budget. Exits with 1 if one is above its limit. */
for (const { entry, target, limit } of budgets) {
  const bytes = await entryBytes(entry);
  const verdict = bytes <= target ? "ok" : `above the ${bytes <= limit ? `target of ${target}` : `LIMIT of ${limit}`}`;
  console.log(`${entry.padEnd(8)} ${String(bytes).padStart(6)} bytes  ${verdict}`);
  if (bytes > limit) process.exitCode = 1;
}
