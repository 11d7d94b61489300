import { budgets, entryBytes, es2020Bytes, lazyBytes } from "./build-entries.ts";

/** Prints the size of each entry beside its budget: with our own bundler, with esbuild for ES2020, and its lazy part. Exits with 1 if one is above. */
for (const { entry, limit, lazy } of budgets) {
  const sizes = [
    ["first", await entryBytes(entry), limit],
    ["first, ES2020", await es2020Bytes(entry), limit],
    ["lazy part", await lazyBytes(entry), lazy],
  ] as const;
  for (const [what, bytes, max] of sizes) {
    console.log(
      `${entry.padEnd(18)} ${what.padEnd(14)} ${String(bytes).padStart(6)} of ${max} bytes${bytes > max ? "  ABOVE" : ""}`,
    );
    if (bytes > max) process.exitCode = 1;
  }
}
